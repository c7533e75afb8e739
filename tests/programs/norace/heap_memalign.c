// A block of memalign is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <malloc.h>
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = memalign(64, 100);
    other = memalign(64, 100);
}

static void first(void) {
    other[99] = 1;
}

static void second(void) {
    free((void *)block);
}
