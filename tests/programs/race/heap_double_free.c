// Two threads free one block; what libc does then is to end the program.
// FLAGS: -fno-builtin
// RUN-EXIT: signal 6
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
    other = malloc(64);
}

static void first(void) {
    free((void *)block);
}

static void second(void) {
    free((void *)block);
}
