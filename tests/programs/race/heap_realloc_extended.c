// What realloc keeps where it is counts as copied, also when the block grows: another thread has written it.
// FLAGS: -fno-builtin
// EXPECT: Write of size 20 at
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;

__attribute__((constructor)) static void allocate(void) {
    block = realloc(malloc(50), 20);
}

static void first(void) {
    block[3] = 1;
}

static void second(void) {
    block = realloc((void *)block, 24);
}
