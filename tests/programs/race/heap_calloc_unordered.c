// calloc's zeros are a write by who calls it: a block that is handed over without order races with what was put there.
// FLAGS: -D_GNU_SOURCE
// REPORTS: 1
// EXPECT: data race
#include <stdlib.h>

#include "check.h"
#include "unordered.h"

static int *handed_over;

static void first(void) {
    int *block = calloc(4, sizeof(int));
    CHECK(block);
    __atomic_store_n(&handed_over, block, __ATOMIC_RELAXED);
}

static void second(void) {
    int *block = __atomic_load_n(&handed_over, __ATOMIC_RELAXED);
    CHECK(block[1] == 0);
}
