// A library that has one of the functions of C++'s library, as one has that is linked with it statically.
static char before[4096 * NUMBER * NUMBER] = {1};
static int called;

__attribute__((noinline)) void __cxa_end_catch(void) {
    called = before[0] * NUMBER;
}

int go(void) {
    // Not what the compiler knows, but what the name is bound to.
    void (*volatile function)(void) = __cxa_end_catch;
    function();
    return called;
}
