// What realloc cuts off is freed, while another thread has written what lies beside the block.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(2000);
    other = malloc(2000);
}

static void first(void) {
    other[99] = 1;
    other[100] = 1;
}

static void second(void) {
    volatile char *again = realloc((void *)block, 100);
    again[0] = 1;
}
