// Lock and unlock of one of 64 mutexes that all threads use.
// ARGS: 1200000
// QUICK: 200000
// SMOKE: 1024
// THREADS: 2 1 16 128 512
// SYNC
#define PREPARED
#include "micro.h"

static struct {
    _Alignas(64) pthread_mutex_t lock;
    unsigned long guarded;
} shared[64];

static void prepare(int threads) {
    (void)threads;
    for (int i = 0; i < 64; i++) pthread_mutex_init(&shared[i].lock, 0);
}

static unsigned long events(int me, long count) {
    unsigned state = (unsigned)me;
    for (long i = 0; i < count; i++) {
        unsigned which = next_number(&state) % 64;
        pthread_mutex_lock(&shared[which].lock);
        shared[which].guarded++;
        pthread_mutex_unlock(&shared[which].lock);
    }
    return 0;
}
