// A relaxed read-modify-write goes on with what was released in its bytes, and releases nothing itself; a store of one half ends what was
// released in that half alone.
// REPORTS: 2
#include <stdint.h>

#include "check.h"
#include "unordered.h"

static union {
    uint64_t whole;
    uint32_t half[2];
} word, ended;
static int released, late, forgotten, kept;

static void first(void) {
    released = 1;
    __atomic_store_n(&word.whole, UINT64_C(3) << 32, __ATOMIC_RELEASE);
    late = 1;
    __atomic_fetch_add(&word.half[0], 1, __ATOMIC_RELAXED);

    forgotten = 1;
    __atomic_store_n(&ended.whole, 0, __ATOMIC_RELAXED);
    __atomic_fetch_add(&ended.half[0], 1, __ATOMIC_RELEASE);
    __atomic_store_n(&ended.half[0], 2, __ATOMIC_RELAXED);
    kept = 1;
    __atomic_fetch_add(&ended.half[1], 1, __ATOMIC_RELEASE);
}

// EXPECT: late
// EXPECT: forgotten
static void second(void) {
    CHECK(__atomic_load_n(&ended.half[0], __ATOMIC_ACQUIRE) == 2);
    CHECK(forgotten == 1);
    CHECK(__atomic_load_n(&word.half[0], __ATOMIC_ACQUIRE) == 1);
    CHECK(released == 1);
    CHECK(late == 1);
    CHECK(__atomic_load_n(&ended.half[1], __ATOMIC_ACQUIRE) == 1);
    CHECK(kept == 1);
}
