// A block that realloc leaves where it is keeps its past.
// FLAGS: -fno-builtin
// EXPECT: Write of size 1 at
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(50);
    block[40] = 1;
}

static void first(void) {
    block[3] = 1;
}

static void second(void) {
    block = realloc((void *)block, 20);
    block[3] = 2;
}
