// What realloc has copied to a new block is read by another thread, later.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "ordered.h"

static volatile char *block;

static void first(void) {
    block = malloc(64);
    block[63] = 1;
    block = realloc((void *)block, 100000);
}

static void second(void) {
    (void)block[63];
    block[64] = 1;
}
