// A block is used, while another thread has freed another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
    other = malloc(64);
}

static void first(void) {
    free((void *)other);
}

static void second(void) {
    block[40] = 1;
}
