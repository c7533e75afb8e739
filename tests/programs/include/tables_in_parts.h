// Tables of small numbers and of characters that three threads read one after the other: the first one all, the others parts of each word, each a part at a time.
// Another thread, which knows of the first two readers and not of the last one, changes what the last one has not read; with RACE also what it has.
#pragma once
#include <pthread.h>
#include <semaphore.h>

#include "invisible.h"

enum { READERS = 3, WORDS = 256, ROUNDS = 3 };

static volatile int numbers[2 * WORDS] __attribute__((aligned(8)));
static volatile char letters[8 * WORDS] __attribute__((aligned(8)));
static int turns, over;
static sem_t known;

__attribute__((noinline)) static long number(int index) { return numbers[index]; }
__attribute__((noinline)) static long letter(int index) { return letters[index]; }
__attribute__((noinline)) static void set_number(int index) { numbers[index] = 1; }
__attribute__((noinline)) static void set_letter(int index) { letters[index] = 1; }

// Of each word, by reader: the halves and the bytes, from and to.
static const int halves[READERS][2] = {{0, 2}, {0, 1}, {1, 2}};
static const int bytes[READERS][2] = {{0, 8}, {0, 5}, {2, 5}};

static void *reader(void *argument) {
    long own = (long)argument, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        invisible_wait(&turns, (int)(round * READERS + own));
        for (int word = 0; word < WORDS; word++) {
            for (int half = halves[own][0]; half < halves[own][1]; half++) sum += number(2 * word + half);
            for (int byte = bytes[own][0]; byte < bytes[own][1]; byte++) sum += letter(8 * word + byte);
            // Again, when the word says more than this one.
            sum += number(2 * word + halves[own][0]) + letter(8 * word + bytes[own][0]);
        }
        if (round + 1 == ROUNDS && own < READERS - 1) sem_post(&known);
        invisible_signal(&turns);
    }
    invisible_wait(&over, 1);
    return (void *)sum;
}

static void *changer(void *argument) {
    sem_wait(&known);
    sem_wait(&known);
    invisible_wait(&turns, READERS * ROUNDS);
    for (int word = 0; word < WORDS; word++) {
        set_number(2 * word);
        for (int byte = 0; byte < 8; byte++)
            if (byte < 2 || byte >= 5) set_letter(8 * word + byte);
    }
#ifdef RACE
    for (int word = 0; word < WORDS; word++) {
        set_number(2 * word + 1);
        for (int byte = 2; byte < 5; byte++) set_letter(8 * word + byte);
    }
#endif
    invisible_signal(&over);
    return argument;
}

int main(void) {
    pthread_t threads[READERS], other;
    sem_init(&known, 0, 0);
    for (long own = 0; own < READERS; own++) pthread_create(&threads[own], 0, reader, (void *)own);
    pthread_create(&other, 0, changer, 0);
    for (int own = 0; own < READERS; own++) pthread_join(threads[own], 0);
    pthread_join(other, 0);
}
