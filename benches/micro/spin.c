// Lock and unlock of a spin lock that no other thread uses.
// ARGS: 1200000
// QUICK: 200000
// SMOKE: 1024
// THREADS: 2 1 16 128 512
// SYNC
#define PREPARED
#include "micro.h"

static struct {
    _Alignas(64) pthread_spinlock_t lock;
} own[1024];

static void prepare(int threads) {
    for (int i = 0; i < threads; i++) pthread_spin_init(&own[i].lock, 0);
}

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) {
        pthread_spin_lock(&own[me].lock);
        pthread_spin_unlock(&own[me].lock);
    }
    return 0;
}
