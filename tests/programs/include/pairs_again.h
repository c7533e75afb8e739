// Pairs of words that all threads read at once in each of their sync epochs, from two places in turns; with RACE one of them changes a word of each in the end,
// ordered after all of these reads but the last ones.
#pragma once
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "invisible.h"

enum { THREADS = 4, ROUNDS = 300 };

typedef long Pair __attribute__((vector_size(16), aligned(8)));
// The second pair is not at a multiple of its size.
static struct {
    _Alignas(16) Pair first;
    long between;
    Pair second;
} pairs;
static pthread_mutex_t locks[THREADS], handed = PTHREAD_MUTEX_INITIALIZER;
static volatile int rounds = ROUNDS;
static int all_have_read;

#define READS(name) \
    __attribute__((noinline)) static long name(void) { \
        Pair first = *(volatile Pair *)&pairs.first, second = *(volatile Pair *)&pairs.second; \
        return first[0] + first[1] + second[0] + second[1]; \
    }
READS(at_first)
READS(at_last)

static void take_and_give(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
}

static void *worker(void *argument) {
    long number = (long)argument, sum = 0;
    for (int round = rounds; round >= 0; round--) {
        // Nobody else uses it: it only ends the epoch.
        take_and_give(&locks[number]);
        // Each comes back after others have read them.
        sched_yield();
        // All reads but the last are done for whoever takes it afterwards.
        if (!round) take_and_give(&handed);
        sum += round % 2 ? at_first() : at_last();
    }
#ifdef RACE
    if (number == 2) {
        invisible_wait(&all_have_read, THREADS - 1);
        take_and_give(&handed);
        ((volatile long *)&pairs.first)[1] = 1;
        ((volatile long *)&pairs.second)[0] = 1;
    } else {
        invisible_signal(&all_have_read);
    }
#endif
    return (void *)sum;
}

static void run(long value) {
    pthread_t threads[THREADS];
    for (int word = 0; word < 2; word++) pairs.first[word] = pairs.second[word] = value;
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, worker, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *sum;
        pthread_join(threads[i], &sum);
        CHECK((long)sum == 4 * value * (ROUNDS + 1));
    }
}

int main(void) {
    for (int i = 0; i < THREADS; i++) pthread_mutex_init(&locks[i], 0);
    // Whoever has read them has ended, and those that come begin later.
    for (long value = 1; value < 3; value++) {
        run(value);
#ifdef RACE
        break;
#endif
    }
    return 0;
}
