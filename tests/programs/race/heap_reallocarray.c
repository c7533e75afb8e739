// A block of reallocarray is freed, while another thread has written its last byte.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = reallocarray(0, 10, 10);
    other = reallocarray(0, 10, 10);
}

static void first(void) {
    block[99] = 1;
}

static void second(void) {
    free((void *)block);
}
