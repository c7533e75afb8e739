// Stores to words that the thread has not accessed in this epoch: after every 1024 of them comes a pair on a mutex of its own.
// ARGS: 8000000
// QUICK: 1333333
// SMOKE: 4096
// THREADS: 2 1
#include "micro.h"

static struct {
    _Alignas(64) pthread_mutex_t lock;
    unsigned long words[1024];
} own[2];

static unsigned long events(int me, long count) {
    for (long done = 0; done < count; done += 1024) {
        pthread_mutex_lock(&own[me].lock);
        pthread_mutex_unlock(&own[me].lock);
        for (long i = 0; i < 1024; i++) *HIDDEN(&own[me].words[i * 389 % 1024]) = (unsigned long)done;
    }
    return own[me].words[0];
}
