// Post of and wait for one of 64 semaphores that all threads use.
// ARGS: 1200000
// QUICK: 200000
// SMOKE: 1024
// THREADS: 2 1 16 128 512
// SYNC
#define PREPARED
#include "micro.h"
#include <semaphore.h>

static struct {
    _Alignas(64) sem_t semaphore;
} shared[64];

static void prepare(int threads) {
    (void)threads;
    for (int i = 0; i < 64; i++) sem_init(&shared[i].semaphore, 0, 0);
}

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) {
        sem_t *semaphore = &shared[(i + me) % 64].semaphore;
        sem_post(semaphore);
        sem_wait(semaphore);
    }
    return 0;
}
