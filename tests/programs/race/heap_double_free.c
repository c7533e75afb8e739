// Two threads free one block; what libc does then is to end the program.
// FLAGS: -fno-builtin
// RUN-EXIT: signal 6
// EXPECT: ^  Free of size 60 at
// EXPECT: ^  Earlier free of size 60 at
// EXPECT: ^  Location: a 60-byte block allocated by T0 at .*heap_double_free.c:
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(60);
    other = malloc(64);
}

static void first(void) {
    free((void *)block);
}

static void second(void) {
    free((void *)block);
}
