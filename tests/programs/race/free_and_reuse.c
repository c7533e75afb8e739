// A block is freed and its memory handed out again at once: the access before the free races with the free all the same, and
// that is told at the free.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// EXPECT: Earlier write of size 1 at
// REPORTS: 1
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
}

static void first(void) {
    block[5] = 1;
}

static void second(void) {
    free((void *)block);
    volatile char *next = malloc(64);
    for (int i = 0; i < 64; i++) next[i] = 2;
    free((void *)next);
}
