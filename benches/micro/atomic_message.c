// A release store to an atomic of the thread's own, and an acquire load of its neighbour's, which mostly is news.
// ARGS: 1000000
// QUICK: 150000
// SMOKE: 1024
// THREADS: 2 16 128 512
// SYNC
#define PREPARED
#include "micro.h"

static struct {
    _Alignas(64) atomic_ulong news;
} threads_news[1024];
static int neighbours;

static void prepare(int threads) {
    neighbours = threads;
}

static unsigned long events(int me, long count) {
    atomic_ulong *own = &threads_news[me].news, *other = &threads_news[(me + 1) % neighbours].news;
    unsigned long sum = 0;
    for (long i = 0; i < count; i++) {
        atomic_store_explicit(own, 1, memory_order_release);
        sum |= atomic_load_explicit(other, memory_order_acquire);
    }
    return sum & 2;
}
