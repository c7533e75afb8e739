// A block that realloc moves is read, while another thread has written another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
    other = malloc(64);
}

static void first(void) {
    other[63] = 1;
}

static void second(void) {
    volatile char *again = realloc((void *)block, 100000);
    again[70] = again[63];
}
