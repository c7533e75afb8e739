// Atomics of different sizes on the same bytes: who takes a part of what was released, or a whole that has such a part, is ordered
// after it. Neighbours of different sizes stay apart.
#include <pthread.h>
#include <stdint.h>

#include "check.h"

static _Alignas(16) union {
    uint64_t whole;
    uint32_t half[2];
    uint8_t bytes[8];
} first, second, third, fourth;
static int one, two, three, four, five;

static void *writer(void *unused) {
    one = 1;
    __atomic_store_n(&first.half[1], 1, __ATOMIC_RELEASE);
    two = 1;
    __atomic_store_n(&second.whole, UINT64_C(1) << 32, __ATOMIC_RELEASE);
    // Continued by another one of a part, and ended in the other part.
    three = 1;
    __atomic_store_n(&third.whole, UINT64_C(1) << 32 | 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&third.half[1], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&third.half[0], 7, __ATOMIC_RELAXED);
    four = 1;
    __atomic_store_n(&fourth.bytes[5], 1, __ATOMIC_RELEASE);
    five = 1;
    __atomic_store_n(&fourth.half[0], 5, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t thread;
    // Both sizes have been seen before.
    CHECK(__atomic_load_n(&first.whole, __ATOMIC_ACQUIRE) == 0);
    CHECK(pthread_create(&thread, 0, writer, 0) == 0);
    while (!(__atomic_load_n(&first.whole, __ATOMIC_ACQUIRE) >> 32)) continue;
    CHECK(one == 1);
    while (!__atomic_load_n(&second.half[1], __ATOMIC_ACQUIRE)) continue;
    CHECK(two == 1);
    while (__atomic_load_n(&third.half[1], __ATOMIC_ACQUIRE) != 2) continue;
    CHECK(three == 1);
    while (!__atomic_load_n(&fourth.bytes[5], __ATOMIC_ACQUIRE)) continue;
    CHECK(four == 1);
    while (!__atomic_load_n(&fourth.half[0], __ATOMIC_ACQUIRE)) continue;
    CHECK(five == 1);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
