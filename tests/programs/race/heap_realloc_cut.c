// What realloc cuts off is freed, while another thread has written it.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(2000);
}

static void first(void) {
    block[100] = 1;
}

static void second(void) {
    block = realloc((void *)block, 100);
}
