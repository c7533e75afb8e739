// Two threads release to a half of a word each, the second one later, and a third thread takes from both, from the later one first: that it knows what the one holds says
// nothing of the other. Each word once: what a thread releases again may wait until somebody asks.
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

enum { ROUNDS = 40 };
static struct {
    _Alignas(8) atomic_int low, high;
} words[ROUNDS];
static int low_data[ROUNDS], high_data[ROUNDS];
// Orders nothing.
static atomic_int turn;

static void wait_for(int number) {
    while (atomic_load_explicit(&turn, memory_order_relaxed) != number);
}

static void *first(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        wait_for(3 * round);
        high_data[round] = 1;
        atomic_store_explicit(&words[round].high, round + 1, memory_order_release);
        atomic_store_explicit(&turn, 3 * round + 1, memory_order_relaxed);
    }
    return unused;
}

static void *second(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        wait_for(3 * round + 1);
        low_data[round] = 1;
        atomic_store_explicit(&words[round].low, round + 1, memory_order_release);
        atomic_store_explicit(&turn, 3 * round + 2, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    for (int round = 0; round < ROUNDS; round++) {
        wait_for(3 * round + 2);
        CHECK(atomic_load_explicit(&words[round].low, memory_order_acquire) == round + 1);
        CHECK(low_data[round] == 1);
        CHECK(atomic_load_explicit(&words[round].high, memory_order_acquire) == round + 1);
        CHECK(high_data[round] == 1);
        atomic_store_explicit(&turn, 3 * round + 3, memory_order_relaxed);
    }
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
