// A library with a variable of each thread's own, which is in memory that the dynamic linker allocates.
static _Thread_local volatile int of_plugin[32];

volatile int *address_of_own(void) {
    return of_plugin;
}
