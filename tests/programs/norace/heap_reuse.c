// A block of malloc that another thread has used and freed has no past.
// FLAGS: -fno-builtin
#include <malloc.h>
#include <stdlib.h>

#include "unordered.h"

__attribute__((constructor)) static void one_arena(void) {
    mallopt(M_ARENA_MAX, 1);
}

static void first(void) {
    volatile char *block = malloc(5000);
    for (int i = 0; i < 5000; i += 7) block[i] = 1;
    free((void *)block);
}

static void second(void) {
    volatile char *again = malloc(5000);
    for (int i = 0; i < 5000; i += 3) again[i] = 1;
    free((void *)again);
}
