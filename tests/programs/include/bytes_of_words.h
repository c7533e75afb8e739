// The bytes of words are changed by two threads, after each other, and read by two others beside each other, each byte from a place of its own: more accesses
// of a word are remembered than eight. One knows of all when it changes everything at last but, with RACE, of one more read of a byte of each of some words, of one of others that the other reader
// has read since, and of one more change of a byte of each of some others.
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

#ifdef MANY
// More than a thread may have records for that stay theirs, as those of readers who come back do; what is looked at is behind these.
enum { WORDS = 6000, ROUNDS = 8, FIRST = WORDS - 40 };
#else
enum { WORDS = 64, ROUNDS = 40, FIRST = 0 };
#endif
enum { BYTES = 5, CHANGED = FIRST + 8, BESIDE = FIRST + 16, AGAIN = FIRST + 24 };

static union {
    volatile unsigned char bytes[8];
    long whole;
} words[WORDS];
static pthread_mutex_t between, own[2], read_by[2];
static int turn;
static int sums[2][16];

static void pass_through(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
}
static void know_readers(void) {
    pass_through(&read_by[0]);
    pass_through(&read_by[1]);
}

__attribute__((noinline)) static void change(int from, int to) {
    for (int i = from; i < to; i++) {
        words[i].bytes[0]++;
        words[i].bytes[1]++;
        words[i].bytes[2]++;
        words[i].bytes[3]++;
        words[i].bytes[4]++;
    }
}

// The bytes of each word, or one: the first of the first one, and so on.
__attribute__((noinline)) static int read(int from, int to, int all) {
    int sum = 0;
    for (int i = from; i < to; i++) {
        int which = all ? -1 : i - from;
        if (all || which == 0) sum += words[i].bytes[0];
        if (all || which == 1) sum += words[i].bytes[1];
        if (all || which == 2) sum += words[i].bytes[2];
        if (all || which == 3) sum += words[i].bytes[3];
        if (all || which == 4) sum += words[i].bytes[4];
    }
    return sum;
}

static void *changer(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        invisible_wait(&turn, 4 * round + 1);
        pthread_mutex_lock(&between);
        change(0, WORDS);
        pthread_mutex_unlock(&between);
        invisible_signal(&turn);
    }
    invisible_wait(&turn, 4 * ROUNDS + 2);
    know_readers();
#ifdef RACE
    words[CHANGED + 0].bytes[0] = 0;
    words[CHANGED + 1].bytes[1] = 0;
    words[CHANGED + 2].bytes[2] = 0;
    words[CHANGED + 3].bytes[3] = 0;
    words[CHANGED + 4].bytes[4] = 0;
#endif
    invisible_signal(&turn);
    return unused;
}

static void *reader(void *argument) {
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        invisible_wait(&turn, 4 * round + 2 + (int)me);
        pass_through(&between);
        // The second one comes back to none of some words.
        sums[me][0] += read(0, BESIDE, 1);
        if (!me) sums[me][0] += read(BESIDE, BESIDE + BYTES, 1);
        sums[me][0] += read(BESIDE + BYTES, WORDS, 1);
        pass_through(&read_by[me]);
        invisible_signal(&turn);
    }
    invisible_wait(&turn, 4 * ROUNDS + (int)me);
    // Nobody else uses it: it only ends the epoch.
    pass_through(&own[me]);
#ifdef RACE
    sums[me][0] += read(BESIDE, BESIDE + BYTES, 0);
    sums[me][0] += read(AGAIN, AGAIN + BYTES, 0);
#endif
    if (me) {
        // Of the second reader all but this is known.
        pass_through(&read_by[me]);
        pass_through(&own[me]);
#ifdef RACE
        sums[me][0] += read(FIRST, FIRST + BYTES, 0);
#endif
    }
    invisible_signal(&turn);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_mutex_init(&between, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&own[i], 0);
        pthread_mutex_init(&read_by[i], 0);
    }
    CHECK(!pthread_create(&threads[0], 0, changer, 0));
    for (long i = 0; i < 2; i++) CHECK(!pthread_create(&threads[1 + i], 0, reader, (void *)i));
    for (int round = 0; round < ROUNDS; round++) {
        invisible_wait(&turn, 4 * round);
        know_readers();
        pthread_mutex_lock(&between);
        change(0, WORDS);
        pthread_mutex_unlock(&between);
        invisible_signal(&turn);
    }
    invisible_wait(&turn, 4 * ROUNDS + 3);
    pass_through(&between);
    know_readers();
    change(0, WORDS);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return 0;
}
