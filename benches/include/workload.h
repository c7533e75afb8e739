// What the workloads share: their arguments, their threads, and numbers that look random and are the same every time.
#pragma once
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// A seeded race: with -DSEED_RACE each workload leaves out an ordering that it needs.
#ifdef SEED_RACE
enum { SEEDED = 1 };
#else
enum { SEEDED = 0 };
#endif

static inline unsigned next_number(unsigned *state) {
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

// The size of the task, which is the first argument, and the number of threads, which is the last. None means that the program
// never starts one.
static inline long size_argument(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: %s SIZE THREADS\n", arguments[0]);
        exit(2);
    }
    return atol(arguments[1]);
}
static inline int threads_argument(int count, char **arguments) {
    return atoi(arguments[count - 1]);
}

// How many parts the work has, if this many threads do it.
static inline int parts_of(int threads) {
    return threads ? threads : 1;
}

struct part {
    pthread_t thread;
    int number;
    unsigned long (*work)(int);
    unsigned long result;
};

static void *do_part(void *argument) {
    struct part *part = (struct part *)argument;
    part->result = part->work(part->number);
    return 0;
}

// Calls work(0), work(1), ... in a thread each, or the only one right here if there are to be no threads, and adds the results up.
static inline unsigned long in_threads(int threads, unsigned long (*work)(int)) {
    if (!threads) return work(0);
    struct part *parts = (struct part *)calloc((size_t)threads, sizeof *parts);
    for (int i = 0; i < threads; i++) {
        parts[i].number = i;
        parts[i].work = work;
        if (pthread_create(&parts[i].thread, 0, do_part, &parts[i])) abort();
    }
    unsigned long sum = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(parts[i].thread, 0);
        sum += parts[i].result;
    }
    free(parts);
    return sum;
}
