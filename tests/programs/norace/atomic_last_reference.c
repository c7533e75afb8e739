// Whoever drops the last reference by a compare-exchange may free: its acquire takes what the others released.
#include "invisible.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif

struct counted {
    atomic_int references;
    int data;
};

static struct counted *shared;
static int step;

static void drop(void) {
    int seen = atomic_load_explicit(&shared->references, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&shared->references, &seen, seen - 1, ORDER, memory_order_relaxed)) {
    }
    if (seen == 1)
        free(shared);
}

static void *first(void *argument) {
    shared->data = 1;
    drop();
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    drop();
    pthread_join(thread, 0);
    return 0;
}
