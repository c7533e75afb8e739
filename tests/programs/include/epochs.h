// Uses up the sync epochs that `epoch_groups=16` leaves: each of the words is remembered in one of its own.
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "invisible.h"

#define ROUNDS 4000

static int begun;
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
    invisible_wait(&begun, 1);
    if (beside) beside();
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&there);
        sum += words[i];
        sem_post(&back);
    }
    pthread_join(thread, 0);
    fprintf(stderr, "all %ld are there\n", sum);
}
