// The serial thread of a barrier is not ordered after what others do later.
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int other_is_done;

static void *worker(void *argument) {
    pthread_barrier_t *barrier = argument;
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        CHECK(pthread_barrier_destroy(barrier) == 0);
        free(barrier);
        invisible_wait(&other_is_done, 1);
        shared = 1;
    }
    else {
        shared = 2;
        invisible_signal(&other_is_done);
    }
    return 0;
}

int main(void) {
    for (int round = 0; round < 50; round++) {
        pthread_barrier_t *barrier = malloc(sizeof *barrier);
        CHECK(pthread_barrier_init(barrier, 0, 2) == 0);
        pthread_t thread;
        other_is_done = 0;
        pthread_create(&thread, 0, worker, barrier);
        worker(barrier);
        pthread_join(thread, 0);
    }
    return 0;
}
