// A block is freed, and another thread adds to it atomically: atomics race with a free like any access.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// EXPECT: [Aa]tomic write of size 4
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
    atomic_fetch_add_explicit(counter, 1, memory_order_seq_cst);
}
