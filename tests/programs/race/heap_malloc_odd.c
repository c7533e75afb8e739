// A block of 13 bytes is freed, while another thread has written its last byte.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(13);
    other = malloc(13);
}

static void first(void) {
    block[12] = 1;
}

static void second(void) {
    free((void *)block);
}
