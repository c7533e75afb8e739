// A block that realloc moves is read, while another thread has written it.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
    other = malloc(64);
}

static void first(void) {
    block[63] = 1;
}

static void second(void) {
    block = realloc((void *)block, 100000);
}
