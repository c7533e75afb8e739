// A plain initialization of an atomic is ordered before the load that takes a later release from the same atomic.
#include "invisible.h"
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_acquire
#endif

static atomic_int value;
static int step;

static void *first(void *argument) {
    atomic_init(&value, 1);
    atomic_store_explicit(&value, 2, memory_order_release);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    int seen = atomic_load_explicit(&value, ORDER);
    pthread_join(thread, 0);
    return seen == 2 ? 0 : 1;
}
