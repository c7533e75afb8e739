// A large block of malloc is freed, while another thread has written its last byte.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(3 << 20);
    other = malloc(3 << 20);
}

static void first(void) {
    block[(3 << 20) - 1] = 1;
}

static void second(void) {
    free((void *)block);
}
