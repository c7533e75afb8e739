// Threads that read the same words in each phase of a barrier, and write words of their own between the phases; with RACE one of these is too early.
#pragma once
#include <pthread.h>

#include "check.h"
#include "invisible.h"

enum { THREADS = 4, WORDS = 4096, ROUNDS = 24 };

static pthread_barrier_t barrier;
static long words[WORDS];
static struct { long first; } own[64 * THREADS];

static void *worker(void *argument) {
    long number = (long)argument, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned at = number * 77 + round;
        for (int i = 0; i < 3 * WORDS; i++) {
            at = at * 1664525 + 1013904223;
            long *word = &words[(at >> 10) % WORDS];
            switch (at >> 28 & 3) {
            case 0: sum += *(volatile long *)word; break;
            case 1: sum ^= *(volatile long *)word; break;
            case 2: sum -= *(volatile long *)word; break;
            default: sum += 3 * *(volatile long *)word; break;
            }
#ifdef RACE
            // Whatever else is read, all but one read this one.
            word = &words[0];
            if (round == ROUNDS - 1 && i == WORDS) {
                if (number == 1) *(volatile long *)word = 1;
                else sum += *(volatile long *)word;
            }
#endif
        }
        pthread_barrier_wait(&barrier);
        for (int i = number; i < WORDS; i += 16 * THREADS) *(volatile long *)&words[i] = sum;
        pthread_barrier_wait(&barrier);
    }
    own[64 * number].first = sum;
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], 0, worker, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    return 0;
}
