// Sequentially consistent loads of an atomic that all threads load.
// ARGS: 6000000
// QUICK: 1000000
// SMOKE: 1024
// THREADS: 2 1 16 128 512
// SYNC
#define PREPARED
#include "micro.h"

static atomic_ulong flag;

static void prepare(int threads) {
    atomic_store_explicit(&flag, (unsigned long)(threads > 1000), memory_order_release);
}

static unsigned long events(int me, long count) {
    unsigned long sum = (unsigned long)me;
    for (long i = 0; i < count; i++) sum += atomic_load_explicit(&flag, memory_order_seq_cst);
    return sum;
}
