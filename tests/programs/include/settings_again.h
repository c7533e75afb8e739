// Settings that all threads read in each of their sync epochs, in halves of one word; with RACE one of them changes one in the end.
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { THREADS = 4, ROUNDS = 300 };

// Not static: the compiler would make a flag of what has two values.
struct { _Alignas(8) int level, limit; } settings = {4, 100};
static pthread_mutex_t locks[THREADS];
static struct { _Alignas(64) long sum; } results[THREADS];
static int all_have_read;

static void *worker(void *argument) {
    long number = (long)argument, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        // Nobody else uses it: it only ends the epoch.
        pthread_mutex_lock(&locks[number]);
        pthread_mutex_unlock(&locks[number]);
        sum += settings.level;
        sum += settings.limit;
    }
#ifdef RACE
    if (number == 2) {
        invisible_wait(&all_have_read, THREADS - 1);
        settings.limit = 200;
    } else {
        invisible_signal(&all_have_read);
    }
#endif
    results[number].sum = sum;
    return 0;
}

static long run(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, worker, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    return results[0].sum;
}

int main(void) {
    for (int i = 0; i < THREADS; i++) pthread_mutex_init(&locks[i], 0);
    CHECK(run() == ROUNDS * 104L);
#ifndef RACE
    // Whoever has read it has ended, and those that come begin later.
    settings.limit = 200;
    CHECK(run() == ROUNDS * 204L);
#endif
    return 0;
}
