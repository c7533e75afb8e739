// Threads that go through the same numbers again and again, each time in another sync epoch; with RACE one of them changes one in the end.
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { THREADS = 4, NUMBERS = 1000, ROUNDS = 200 };

static long numbers[NUMBERS];
static pthread_mutex_t locks[THREADS];
static struct { _Alignas(64) long sum; } results[THREADS];
static int all_have_read;

static long sum_of(const long *from, long count) {
    long sum = 0;
    for (long i = 0; i < count; i++) sum += from[i];
    return sum;
}

static void *worker(void *argument) {
    long number = (long)argument, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        // Nobody else uses it: it only ends the epoch.
        pthread_mutex_lock(&locks[number]);
        pthread_mutex_unlock(&locks[number]);
        sum += sum_of(numbers, NUMBERS);
    }
#ifdef RACE
    if (number == 2) {
        invisible_wait(&all_have_read, THREADS - 1);
        numbers[NUMBERS / 2 + 3]++;
    } else {
        invisible_signal(&all_have_read);
    }
#endif
    results[number].sum = sum;
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < NUMBERS; i++) numbers[i] = i * i;
    for (int i = 0; i < THREADS; i++) pthread_mutex_init(&locks[i], 0);
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, worker, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        CHECK(results[i].sum == results[0].sum);
    }
    return 0;
}
