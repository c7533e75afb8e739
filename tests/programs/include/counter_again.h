// A counter that all threads add to in each of their sync epochs; with RACE one of them clears it plainly in the end.
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { THREADS = 4, ROUNDS = 300 };

struct { _Alignas(8) int added, seen; } counter;
static int is_done, have_added;

static void *worker(void *argument) {
    long number = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        __atomic_fetch_add(&counter.added, 1, __ATOMIC_ACQ_REL);
        if (__atomic_load_n(&counter.seen, __ATOMIC_ACQUIRE) <= round) __atomic_store_n(&counter.seen, round + 1, __ATOMIC_RELEASE);
    }
#ifdef RACE
    // What the others add last, it does not hear of.
    if (number == 2) {
        invisible_signal(&is_done);
        invisible_wait(&have_added, THREADS - 1);
        counter.added = 0;
    } else {
        invisible_wait(&is_done, 1);
        __atomic_fetch_add(&counter.added, 1, __ATOMIC_ACQ_REL);
        invisible_signal(&have_added);
    }
#else
    (void)number;
#endif
    return 0;
}

static void run(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, worker, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
}

int main(void) {
    run();
#ifndef RACE
    // Whoever has added has ended, and those that come begin later.
    CHECK(counter.added == THREADS * ROUNDS);
    counter.added = 0;
    run();
    CHECK(counter.added == THREADS * ROUNDS);
#endif
    return 0;
}
