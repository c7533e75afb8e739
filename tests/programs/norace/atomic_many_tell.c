// A hundred thousand atomics close to each other, of four bytes and of eight and single bytes: each tells of its own data, round after round, and is asked by two threads in an order of their own,
// again and again. What one has told is told of no other one.
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

enum { MARKS = 1 << 15, ROUNDS = 3, READERS = 2, LAST = MARKS - 1 };
#ifndef TELLS
#define TELLS memory_order_release
#endif
static atomic_uint words[MARKS];
static atomic_ulong wide[MARKS];
static atomic_uchar bytes[MARKS];
static unsigned data[3][MARKS];
static pthread_barrier_t round_ends;

static void *publishes(void *unused) {
    for (unsigned round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < MARKS; i++) {
            for (int kind = 0; kind < 3; kind++) data[kind][i] += round;
            memory_order order = round == 2 && i == LAST ? TELLS : memory_order_release;
            // What is not told any more, and then is again.
            if (i % 3 == 0) atomic_store_explicit(&words[i], round - 1, memory_order_relaxed);
            atomic_store_explicit(&words[i], round, order);
            atomic_fetch_add_explicit(&wide[i], 1, memory_order_release);
            atomic_store_explicit(&bytes[i], (unsigned char)round, memory_order_release);
        }
        pthread_barrier_wait(&round_ends);
    }
    return unused;
}

static void *reads(void *start) {
    unsigned expected = 0;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        expected += round;
        unsigned i = (unsigned)(long)start;
        for (int n = 0; n < MARKS; n++, i = (i * 5 + 7) % MARKS) {
            while (atomic_load_explicit(&words[i], memory_order_acquire) != round) {}
            CHECK(data[0][i] == expected);
            while (atomic_load_explicit(&bytes[i], memory_order_relaxed) != round) {}
            atomic_thread_fence(memory_order_acquire);
            CHECK(data[1][i] == expected && data[2][i] == expected);
            CHECK(atomic_load_explicit(&wide[i], memory_order_relaxed) >= round);
        }
        pthread_barrier_wait(&round_ends);
    }
    return 0;
}

int main(void) {
    pthread_t readers[READERS], publisher;
    pthread_barrier_init(&round_ends, 0, READERS + 1);
    for (long i = 0; i < READERS; i++) pthread_create(&readers[i], 0, reads, (void *)(i * 1000));
    pthread_create(&publisher, 0, publishes, 0);
    for (int i = 0; i < READERS; i++) pthread_join(readers[i], 0);
    pthread_join(publisher, 0);
    return 0;
}
