// A release fence after a relaxed store, which ThreadSanitizer takes for nothing.
// ARGS: 2000000
// QUICK: 300000
// SMOKE: 1024
// THREADS: 2 16 128 512
#include "micro.h"

static struct {
    _Alignas(64) atomic_ulong counter;
} own[1024];

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) {
        atomic_store_explicit(&own[me].counter, (unsigned long)i, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
    }
    return atomic_load(&own[me].counter);
}
