// A block of strdup is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <stdlib.h>
#include <string.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = strdup("some text");
    other = strdup("some text");
}

static void first(void) {
    other[9] = 1;
}

static void second(void) {
    free((void *)block);
}
