// A thread reads it atomically, and another frees the block.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// EXPECT: Free of size 64
// EXPECT: Earlier atomic read of size 4
#include <stdatomic.h>
#include <stdlib.h>

#include "unordered.h"

static atomic_int *counter;

__attribute__((constructor)) static void allocate(void) {
    counter = malloc(64);
}

static void first(void) {
    (void)atomic_load_explicit(counter, memory_order_relaxed);
}

static void second(void) {
    free(counter);
}
