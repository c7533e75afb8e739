// What is released by an atomic is not ordered with who takes its neighbour, of another size, or the part that was written since.
// EXPECT: data race on `beside`
// EXPECT: data race on `replaced`
// REPORTS: 2
#include <stdint.h>

#include "unordered.h"

static _Alignas(16) union {
    uint64_t whole;
    uint32_t half[2];
    uint8_t bytes[8];
} shared, other;
int beside, replaced;

static void first(void) {
    beside = 1;
    __atomic_store_n(&shared.half[0], 1, __ATOMIC_RELEASE);
    replaced = 1;
    __atomic_store_n(&other.whole, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&other.half[0], 2, __ATOMIC_RELAXED);
}

static void second(void) {
    __atomic_load_n(&shared.bytes[4], __ATOMIC_ACQUIRE);
    beside = 2;
    __atomic_load_n(&other.half[0], __ATOMIC_ACQUIRE);
    replaced = 2;
}
