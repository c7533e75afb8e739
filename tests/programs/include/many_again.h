// More words than have records that stay theirs, which all threads read again and again, each in sync epochs of its own, one after the other. The writer knows
// of all that the others have read of all words but, with RACE, of the last time that each of them has read one, which is another one for each.
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

// Words in pairs are read at once, as both halves of a vector.
typedef long pair __attribute__((vector_size(16), aligned(8), may_alias));

__attribute__((noinline)) static long sum_at(int i) {
    if (WIDTH == 1) return words[i].whole;
    pair both = *(const pair *)&words[i];
    return both[0] + both[1];
}

static void *reader(void *argument) {
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        invisible_wait(&turn, round * THREADS + (int)me);
        // Nobody else uses it: it only ends the epoch.
        pthread_mutex_lock(&own[me]);
        pthread_mutex_unlock(&own[me]);
        long sum = 0;
        for (int i = 0; i < WORDS; i = next[i]) sum += sum_at(i);
        sums[me][0] += sum;
        invisible_signal(&turn);
    }
    pthread_mutex_lock(&told[me]);
    pthread_mutex_unlock(&told[me]);
#ifdef RACE
    // Of a pair, one was read in this epoch and the other is now.
    int mine = LAST + 2 * (int)me;
    if (WIDTH == 2) sums[me][0] += *(volatile long *)&words[mine].whole;
    sums[me][0] += sum_at(mine);
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
        // With RACE, of a pair that is read once more, the second one.
        if (WIDTH == 1 || i < LAST || i >= LAST + 2 * THREADS) words[i].half = i;
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
