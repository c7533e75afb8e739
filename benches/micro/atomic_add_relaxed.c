// Relaxed additions to one of 64 atomics that all threads use.
// ARGS: 2000000
// QUICK: 333333
// SMOKE: 1024
// THREADS: 2 1 16 128 512
#include "micro.h"

static struct {
    _Alignas(64) atomic_ulong counter;
} shared[64];

static unsigned long events(int me, long count) {
    unsigned state = (unsigned)me;
    for (long i = 0; i < count; i++) atomic_fetch_add_explicit(&shared[next_number(&state) % 64].counter, 1, memory_order_relaxed);
    return 0;
}
