// Two threads use one small block.
// FLAGS: -fno-builtin
// EXPECT: 24-byte block
#include <stdlib.h>

#include "unordered.h"

static volatile char *blocks[100];

__attribute__((constructor)) static void allocate(void) {
    for (int i = 0; i < 100; i++) blocks[i] = malloc(24);
}

static void first(void) {
    for (int i = 0; i < 100; i++) blocks[i][23] = 1;
}

static void second(void) {
    blocks[50][23] = 2;
}
