// Release stores to atomics of the thread's own.
// ARGS: 4000000
// QUICK: 666666
// SMOKE: 1024
// THREADS: 2 1 16 128 512
// SYNC
#include "micro.h"

static struct {
    _Alignas(64) atomic_ulong counter;
} own[1024];

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) atomic_store_explicit(&own[me].counter, (unsigned long)i, memory_order_release);
    return atomic_load(&own[me].counter);
}
