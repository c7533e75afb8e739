// A thread adds to it atomically, and another frees the block.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// EXPECT: Free of size 64
// EXPECT: Earlier atomic write of size 4
#include <stdatomic.h>
#include <stdlib.h>

#include "unordered.h"

static atomic_int *counter;

__attribute__((constructor)) static void allocate(void) {
    counter = malloc(64);
}

static void first(void) {
    atomic_fetch_add_explicit(counter, 1, memory_order_seq_cst);
}

static void second(void) {
    free(counter);
}
