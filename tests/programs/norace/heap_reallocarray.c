// A block of reallocarray is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = reallocarray(0, 10, 10);
    other = reallocarray(0, 10, 10);
}

static void first(void) {
    other[99] = 1;
}

static void second(void) {
    free((void *)block);
}
