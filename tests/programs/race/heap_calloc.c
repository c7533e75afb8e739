// A block of calloc is freed, while another thread has written its last byte.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = calloc(10, 7);
    other = calloc(10, 7);
}

static void first(void) {
    block[69] = 1;
}

static void second(void) {
    free((void *)block);
}
