// A block of aligned_alloc is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = aligned_alloc(256, 512);
    other = aligned_alloc(256, 512);
}

static void first(void) {
    other[511] = 1;
}

static void second(void) {
    free((void *)block);
}
