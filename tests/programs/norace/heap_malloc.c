// A block of malloc is freed, while another thread has written the last byte of another.
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
    free((void *)block);
}
