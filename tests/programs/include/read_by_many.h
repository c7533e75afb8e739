// More threads than a record has room for read the same words in phases, each in an order of its own and most of them: numbers of four bytes that nobody changes meanwhile,
// and of eight that are written anew before each phase. Then one that was not among them writes all of these. It knows of all readers (or of all but one).
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { READERS = 20, MISSED = 7, PHASES = 8, WORDS = 2048 };

static int halves[2 * WORDS];
static long words[WORDS];
static int turn;
static pthread_barrier_t barrier;
static pthread_mutex_t told[READERS];

__attribute__((noinline)) static void use(long value) { __asm__ volatile("" : : "r"(value)); }
__attribute__((noinline)) static void read_half(volatile int *half) { use(*half + 1); }
__attribute__((noinline)) static void read_word(volatile long *word) { use(*word + 2); }
__attribute__((noinline)) static void write_half(volatile int *half) { *half = 3; }
__attribute__((noinline)) static void write_word(volatile long *word) { *word = 4; }
__attribute__((noinline)) static void change_word(volatile long *word) { *word = 5; }

// The one that is missed reads all; of the others, each leaves out what no other does.
static int reads(int me, int phase, unsigned index) {
    return me == MISSED || (index * 2654435769u >> 16) % READERS != (unsigned)(me + phase) % READERS;
}

static void *reader(void *number) {
    int me = (int)(long)number;
    for (int phase = 0; phase < PHASES; phase++) {
        for (int word = me; word < WORDS; word += READERS) change_word(&words[word]);
        pthread_barrier_wait(&barrier);
        for (unsigned i = 0; i < WORDS; i++) {
            unsigned word = (i * 5 + (unsigned)me * 97) % WORDS;
            for (unsigned half = 2 * word; half < 2 * word + 2; half++)
                if (reads(me, phase, half)) read_half(&halves[half]);
            if (reads(me, phase, word)) read_word(&words[word]);
        }
        if (phase + 1 < PHASES) pthread_barrier_wait(&barrier);
    }
    pthread_mutex_lock(&told[me]);
    pthread_mutex_unlock(&told[me]);
    invisible_signal(&turn);
    return 0;
}

static void *writer(void *unused) {
    invisible_wait(&turn, READERS);
    for (int i = 0; i < READERS; i++) {
        if (i == MISSED && MISSES) continue;
        pthread_mutex_lock(&told[i]);
        pthread_mutex_unlock(&told[i]);
    }
    for (int half = 0; half < 2 * WORDS; half++) write_half(&halves[half]);
    for (int word = 0; word < WORDS; word++) write_word(&words[word]);
    return unused;
}

int main(void) {
    pthread_t threads[READERS + 1];
    pthread_barrier_init(&barrier, 0, READERS);
    for (int i = 0; i < READERS; i++) pthread_mutex_init(&told[i], 0);
    for (long i = 0; i < READERS; i++) CHECK(!pthread_create(&threads[i], 0, reader, (void *)i));
    CHECK(!pthread_create(&threads[READERS], 0, writer, 0));
    for (int i = 0; i <= READERS; i++) pthread_join(threads[i], 0);
    return 0;
}
