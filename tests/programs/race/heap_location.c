// The report names the block: its size, where in it the bytes are, and who allocated it where.
// FLAGS: -fno-builtin
// EXPECT: Location: 4 bytes at offset 16 of a 48-byte block allocated by
// EXPECT: heap_location.c:1[0-9]
#include <stdlib.h>

#include "unordered.h"

static int *numbers;
__attribute__((constructor)) static void allocate(void) {
    numbers = malloc(48);
}

static void first(void) {
    *(volatile int *)&numbers[4] = 1;
}

static void second(void) {
    *(volatile int *)&numbers[4] = 2;
}
