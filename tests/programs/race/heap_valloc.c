// A block of valloc is freed, while another thread has written its last byte.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = valloc(100);
    other = valloc(100);
}

static void first(void) {
    block[99] = 1;
}

static void second(void) {
    free((void *)block);
}
