// A large block of malloc is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(3 << 20);
    other = malloc(3 << 20);
}

static void first(void) {
    other[(3 << 20) - 1] = 1;
}

static void second(void) {
    free((void *)block);
}
