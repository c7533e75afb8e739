// What realloc keeps where it is counts as copied: another thread has written it before, and writes it after.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "ordered.h"

static volatile char *block;

__attribute__((constructor)) static void allocate(void) {
    block = realloc(malloc(50), 20);
}

static void first(void) {
    block[3] = 1;
    block = realloc((void *)block, 24);
}

static void second(void) {
    block[3] = 2;
    block = realloc((void *)block, 12);
    block[3] = 3;
}
