// calloc's zeros are a write by who calls it, which release and acquire order; and what the block was before does not count.
// FLAGS: -D_GNU_SOURCE
#include <stdlib.h>

#include "check.h"
#include "unordered.h"

static int *handed_over;

static void first(void) {
    int *block = calloc(4, sizeof(int));
    CHECK(block);
    __atomic_store_n(&handed_over, block, __ATOMIC_RELEASE);
}

static void second(void) {
    int *block = __atomic_load_n(&handed_over, __ATOMIC_ACQUIRE);
    CHECK(block[1] == 0);
}
