// More words than have records that stay theirs, which all threads read again and again, each in sync epochs of its own, one after the other. The writer knows
// of all that the others have read of all words but, with RACE, of the last time that they have read one of them.
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { THREADS = 3, WORDS = 20000, ROUNDS = 6, LAST = WORDS - 100 };

static union {
    long whole;
    int half;
} words[WORDS];
// Where one goes on, so that what is accessed in a loop is not known when it begins.
static int next[WORDS];
static long sums[THREADS][8];
static pthread_mutex_t own[THREADS], told[THREADS];
static int turn, have_read;

static void *reader(void *argument) {
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        invisible_wait(&turn, round * THREADS + (int)me);
        // Nobody else uses it: it only ends the epoch.
        pthread_mutex_lock(&own[me]);
        pthread_mutex_unlock(&own[me]);
        long sum = 0;
        for (int i = 0; i < WORDS; i = next[i]) {
            sum += words[i].whole;
            if (WIDTH == 2) sum += words[i + 1].whole;
        }
        sums[me][0] += sum;
        invisible_signal(&turn);
    }
    pthread_mutex_lock(&told[me]);
    pthread_mutex_unlock(&told[me]);
#ifdef RACE
    sums[me][0] += words[LAST].whole;
#endif
    invisible_signal(&have_read);
    return 0;
}

static void *writer(void *unused) {
    invisible_wait(&have_read, THREADS);
    // It comes after what the readers have done before they took these.
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_lock(&told[i]);
        pthread_mutex_unlock(&told[i]);
    }
    for (int i = 0; i < WORDS; i = next[i]) {
        words[i].half = i;
        if (WIDTH == 2) words[i + 1].half = i;
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS + 1];
    for (int i = 0; i < WORDS; i++) next[i] = i + WIDTH;
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_init(&own[i], 0);
        pthread_mutex_init(&told[i], 0);
    }
    for (long i = 0; i < THREADS; i++) CHECK(!pthread_create(&threads[i], 0, reader, (void *)i));
    CHECK(!pthread_create(&threads[THREADS], 0, writer, 0));
    for (int i = 0; i <= THREADS; i++) pthread_join(threads[i], 0);
    return 0;
}
