// The detector finds the functions behind its interceptors through the dynamic linker, so it refuses to be linked statically.
// LEVELS: O1
// FLAGS: -static
// BUILD-FAILS: static
int main(void) {
    return 0;
}
