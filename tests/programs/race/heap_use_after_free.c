// A block is used, while another thread has freed it.
// FLAGS: -fno-builtin
// EXPECT: Write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
    other = malloc(64);
}

static void first(void) {
    free((void *)block);
}

static void second(void) {
    block[40] = 1;
}
