// Two threads use bytes of one word, each its own and again and again, so that each remembers by itself what it has accessed. Then one of them frees the block, and
// has the same memory again in the same sync epoch: what it does there is remembered anew. With RACE the other thread reads that; otherwise it reads a block that
// nobody has freed.
#pragma once
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "invisible.h"

enum { TURNS = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned char *block, *kept;
static int turn, is_there, over;

static void *other(void *unused) {
    for (int i = 0; i < TURNS; i++) {
        invisible_wait(&turn, 2 * i + 1);
        // Twice, as each of them finds the word changed by the other.
        block[1]++;
        block[1]++;
        if (i + 1 == TURNS) {
            pthread_mutex_lock(&mutex);
            pthread_mutex_unlock(&mutex);
        }
        invisible_signal(&turn);
    }
    invisible_wait(&is_there, 1);
#ifdef RACE
    (void)block[0];
#else
    (void)kept[0];
#endif
    invisible_signal(&over);
    return unused;
}

int main(void) {
    pthread_t thread;
    block = malloc(64);
    kept = malloc(64);
    block[0] = block[1] = kept[0] = 0;
    CHECK(pthread_create(&thread, 0, other, 0) == 0);
    for (int i = 0; i < TURNS; i++) {
        block[0]++;
        block[0]++;
        invisible_signal(&turn);
        invisible_wait(&turn, 2 * i + 2);
    }
    // The other thread's accesses come before the free; this one tells nothing by it, so that its sync epoch goes on.
    pthread_mutex_lock(&mutex);
    block[0]++;
    volatile unsigned char *before = block;
    free((void *)block);
    volatile unsigned char *again = malloc(64);
    CHECK(again == before);
    again[0] = 1;
    invisible_signal(&is_there);
    invisible_wait(&over, 1);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
