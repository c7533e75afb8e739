// Settings in a large mapping, which all threads read in each of their sync epochs, and which is then mapped anew at the same place. With RACE one of
// them reads what the first thread has written there without anything that orders it.
#pragma once
#include <pthread.h>
#include <sys/mman.h>

#include "check.h"
#include "invisible.h"

enum { THREADS = 3, ROUNDS = 300, BYTES = 16 << 20 };

static long *settings;
static pthread_mutex_t locks[THREADS];
static pthread_barrier_t barrier;
static int is_written;

static void *worker(void *argument) {
    long number = (long)argument, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        // Nobody else uses it: it only ends the epoch.
        pthread_mutex_lock(&locks[number]);
        pthread_mutex_unlock(&locks[number]);
        sum += settings[7];
    }
    // All have read it,
    pthread_barrier_wait(&barrier);
    // and it is mapped anew.
    pthread_barrier_wait(&barrier);
#ifdef RACE
    invisible_wait(&is_written, 1);
#else
    pthread_barrier_wait(&barrier);
#endif
    return (void *)(sum + settings[7]);
}

static long *mapped(void *at) {
    int fixed = at ? MAP_FIXED : 0;
    void *memory = mmap(at, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
    CHECK(memory != MAP_FAILED);
    return (long *)memory;
}

int main(void) {
    pthread_t threads[THREADS];
    settings = mapped(0);
    settings[7] = 2;
    CHECK(pthread_barrier_init(&barrier, 0, THREADS + 1) == 0);
    for (int i = 0; i < THREADS; i++) pthread_mutex_init(&locks[i], 0);
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, worker, (void *)i) == 0);
    pthread_barrier_wait(&barrier);
    CHECK(munmap(settings, BYTES) == 0);
    CHECK(mapped(settings) == settings);
    pthread_barrier_wait(&barrier);
    settings[7] = 5;
#ifdef RACE
    invisible_signal(&is_written);
#else
    pthread_barrier_wait(&barrier);
#endif
    for (int i = 0; i < THREADS; i++) {
        void *sum;
        pthread_join(threads[i], &sum);
        CHECK((long)sum == 2 * ROUNDS + 5);
    }
    return 0;
}
