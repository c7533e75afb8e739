// Read-modify-writes of parts and of the whole, of every order, each going on with what was released before in its bytes: whoever reads
// one of these bytes is ordered after all of that.
#include <stdint.h>

#include "check.h"
#include "unordered.h"

static union {
    uint64_t whole;
    uint32_t half[2];
    uint8_t bytes[8];
} relaxed, released, fenced, halves;
static int zero, one, two, three, four, five;

static void first(void) {
    zero = 1;
    __atomic_store_n(&relaxed.whole, UINT64_C(3) << 32, __ATOMIC_RELEASE);
    one = 1;
    __atomic_fetch_add(&relaxed.half[0], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&relaxed.bytes[5], 1, __ATOMIC_RELAXED);

    __atomic_store_n(&released.whole, 0, __ATOMIC_RELAXED);
    two = 1;
    __atomic_fetch_add(&released.half[1], 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&released.bytes[4], 1, __ATOMIC_RELAXED);

    __atomic_store_n(&fenced.whole, 0, __ATOMIC_RELAXED);
    three = 1;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_fetch_add(&fenced.half[1], 1, __ATOMIC_RELAXED);

    // Each half has its own, and the whole adds to both.
    four = 1;
    __atomic_store_n(&halves.half[0], 1, __ATOMIC_RELEASE);
    __atomic_store_n(&halves.half[1], 1, __ATOMIC_RELAXED);
    five = 1;
    __atomic_fetch_add(&halves.whole, 1, __ATOMIC_RELEASE);
}

static void second(void) {
    CHECK(__atomic_load_n(&relaxed.half[0], __ATOMIC_ACQUIRE) == 1);
    CHECK(zero == 1);
    CHECK(__atomic_load_n(&released.bytes[4], __ATOMIC_ACQUIRE) == 2);
    CHECK(two == 1);
    CHECK(__atomic_load_n(&fenced.bytes[7], __ATOMIC_RELAXED) == 0);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    CHECK(three == 1);
    CHECK(__atomic_load_n(&halves.half[1], __ATOMIC_ACQUIRE) == 1);
    CHECK(five == 1);
    CHECK(four == 1);
}
