// A read-modify-write of a part goes on with what was released in that part, and adds its own. The bytes beside it, which were written
// together with these, give nothing of that.
// REPORTS: 1
#include <stdint.h>

#include "check.h"
#include "unordered.h"

static union {
    uint64_t whole;
    uint32_t half[2];
} word;
static int data;

static void first(void) {
    __atomic_store_n(&word.whole, UINT64_C(3) << 32, __ATOMIC_RELAXED);
    data = 1;
    __atomic_fetch_add(&word.half[0], 1, __ATOMIC_RELEASE);
}

// EXPECT: data
static void second(void) {
    CHECK(__atomic_load_n(&word.half[1], __ATOMIC_ACQUIRE) == 3);
    CHECK(data == 1);
}
