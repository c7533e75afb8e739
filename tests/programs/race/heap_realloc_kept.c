// What realloc keeps where it is counts as copied: another thread has read it.
// FLAGS: -fno-builtin
// EXPECT: Write of size 20 at
// EXPECT: Earlier read of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(50);
    block[3] = 1;
}

static void first(void) {
    (void)block[3];
}

static void second(void) {
    block = realloc((void *)block, 20);
}
