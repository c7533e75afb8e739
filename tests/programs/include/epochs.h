// Uses up the sync epochs that `epoch_groups=16` leaves: each of the words is remembered in one of its own, as there is a thread that
// knows of none (unless `ALL_KNOW` is defined).
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "invisible.h"

#define ROUNDS 4000

static int begun, over;
static long words[ROUNDS];
static sem_t there, back;

static void *write_words(void *unused) {
    invisible_signal(&begun);
    for (int i = 0; i < ROUNDS; i++) {
        words[i] = 1;
        sem_post(&there);
        sem_wait(&back);
    }
    return unused;
}

static void *know_nothing(void *unused) {
    invisible_wait(&over, 1);
    return unused;
}

static void (*first)(void);

static void *work(void *unused) {
    if (first) first();
    return write_words(unused);
}

// Runs `before` in another thread and then `beside` in this one, unordered; either may be null. Then uses up the epochs.
static void use_up_epochs(void (*before)(void), void (*beside)(void)) {
    first = before;
    sem_init(&there, 0, 0);
    sem_init(&back, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
#ifndef ALL_KNOW
    pthread_t ignorant;
    pthread_create(&ignorant, 0, know_nothing, 0);
#endif
    invisible_wait(&begun, 1);
    if (beside) beside();
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&there);
        sum += words[i];
        sem_post(&back);
    }
    pthread_join(thread, 0);
#ifndef ALL_KNOW
    invisible_signal(&over);
    pthread_join(ignorant, 0);
#endif
    fprintf(stderr, "all %ld are there\n", sum);
}
