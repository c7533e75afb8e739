// As -static, also when the program can be loaded anywhere.
// LEVELS: O1
// FLAGS: -static-pie
// BUILD-FAILS: static
int main(void) {
    return 0;
}
