// A block is freed, and another thread reads it atomically: atomics race with a free like any access.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// EXPECT: [Aa]tomic read of size 4
// EXPECT: Earlier free
#include <stdatomic.h>
#include <stdlib.h>

#include "unordered.h"

static atomic_int *counter;

__attribute__((constructor)) static void allocate(void) {
    counter = malloc(64);
}

static void first(void) {
    free(counter);
}

static void second(void) {
    (void)atomic_load_explicit(counter, memory_order_relaxed);
}
