// A block of realloc is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = realloc(malloc(10), 100);
    other = realloc(malloc(10), 100);
}

static void first(void) {
    other[99] = 1;
}

static void second(void) {
    free((void *)block);
}
