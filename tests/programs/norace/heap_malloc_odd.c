// A block of 13 bytes is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(13);
    other = malloc(13);
}

static void first(void) {
    other[12] = 1;
}

static void second(void) {
    free((void *)block);
}
