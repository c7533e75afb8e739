// A thread releases to one half of a word, then takes from the other half what another thread has released there: that it knows what the one holds says nothing of
// the other.
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

static struct {
    _Alignas(8) atomic_int low, high;
} word;
static int low_data, high_data;
static atomic_int turn;

static void *other(void *unused) {
    high_data = 1;
    atomic_store_explicit(&word.high, 1, memory_order_release);
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    while (atomic_load_explicit(&turn, memory_order_relaxed) != 2);
    CHECK(atomic_load_explicit(&word.low, memory_order_acquire) == 1);
    CHECK(low_data == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    low_data = 1;
    while (atomic_load_explicit(&turn, memory_order_relaxed) != 1);
    atomic_store_explicit(&word.low, 1, memory_order_release);
    CHECK(atomic_load_explicit(&word.high, memory_order_acquire) == 1);
    CHECK(high_data == 1);
    atomic_store_explicit(&turn, 2, memory_order_relaxed);
    pthread_join(thread, 0);
    return 0;
}
