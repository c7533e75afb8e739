// A function that the program is not linked with, of which there is an interceptor: who calls it is told so.
// LEVELS: O1
// BUILD: $CC $FLAGS $SRC -o $OUT
// RUN-EXIT: 70
// EXPECT: fatal: __cxa_end_catch is called, and no library that is loaded has it
void __cxa_end_catch(void);

int main(void) {
    __cxa_end_catch();
}
