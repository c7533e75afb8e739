// Producers hand numbers to consumers through rings without locks: one producer and one consumer to a ring.
// ARGS: 2000000
// QUICK: 500000
// SMOKE: 1000
// THREADS: 2
// LONG
#include "workload.h"
#include <sched.h>
#include <stdatomic.h>

enum { SLOTS = 256 };
static struct ring {
    _Alignas(64) atomic_ulong written;
    _Alignas(64) atomic_ulong read;
    _Alignas(64) unsigned long slots[SLOTS];
} rings[8];
static long items;

// Seeded: the consumer is told of an item by a store that publishes nothing.
static const memory_order published = SEEDED ? memory_order_relaxed : memory_order_release;

static unsigned long produce(struct ring *ring) {
    for (unsigned long i = 0; i < (unsigned long)items; i++) {
        while (i - atomic_load_explicit(&ring->read, memory_order_acquire) == SLOTS) sched_yield();
        ring->slots[i % SLOTS] = i * i;
        atomic_store_explicit(&ring->written, i + 1, published);
    }
    return 0;
}

static unsigned long consume(struct ring *ring) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < (unsigned long)items; i++) {
        while (atomic_load_explicit(&ring->written, memory_order_acquire) == i) sched_yield();
        sum = sum * 31 + ring->slots[i % SLOTS];
        atomic_store_explicit(&ring->read, i + 1, memory_order_release);
    }
    return sum;
}

static unsigned long work(int me) {
    return me & 1 ? consume(&rings[me / 2]) : produce(&rings[me / 2]);
}

int main(int count, char **arguments) {
    items = size_argument(count, arguments);
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
}
