// A block of aligned_alloc is freed, while another thread has written its last byte.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = aligned_alloc(256, 512);
    other = aligned_alloc(256, 512);
}

static void first(void) {
    block[511] = 1;
}

static void second(void) {
    free((void *)block);
}
