// A block is freed twice, in order; what libc does then is to end the program.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: double free
// EXPECT: ^  Free of size 64 .*by main thread T0
// EXPECT: ^  Earlier free of size .* by thread T1
// REJECT: data race
// RUN-EXIT: signal 6
#include <stdlib.h>

#include "ordered.h"

static void *block;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
}

static void first(void) {
    free(block);
}

static void second(void) {
    free(block);
}
