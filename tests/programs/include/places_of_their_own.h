// Many words that several threads read one after the other, each from one of four places, which are those of all threads; then they are changed,
// with RACE by a thread that knows of none of these reads.
#pragma once
#include <pthread.h>

#include "invisible.h"

enum { READERS = 3, PLACES = 4, WORDS = 256, ROUNDS = 2 };

static volatile long words[WORDS];
static int turns, over;

#define READS(name) \
    __attribute__((noinline)) static long name(int word) { return words[word]; }
READS(from_first)
READS(from_second)
READS(from_third)
READS(from_fourth)

static long (*const reads[PLACES])(int) = {from_first, from_second, from_third, from_fourth};

// Neighbours have other places, and all words of a round the same readers.
static void *reader(void *argument) {
    long number = (long)argument, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        invisible_wait(&turns, (int)(round * READERS + number));
        for (int word = 0; word < WORDS; word++) sum += reads[word % PLACES](word);
        invisible_signal(&turns);
    }
    invisible_wait(&over, 1);
    return (void *)sum;
}

static void change(void) {
    for (int word = 0; word < WORDS; word += PLACES) {
        words[word] = 1;
        words[word + 1] = 1;
        words[word + 2] = 1;
        words[word + 3] = 1;
    }
}

int main(void) {
    pthread_t threads[READERS];
    for (long number = 0; number < READERS; number++) pthread_create(&threads[number], 0, reader, (void *)number);
    invisible_wait(&turns, READERS * ROUNDS);
#ifdef RACE
    change();
#endif
    invisible_signal(&over);
    for (int number = 0; number < READERS; number++) pthread_join(threads[number], 0);
#ifndef RACE
    change();
#endif
}
