// The thread that a barrier calls serial may destroy it and free its memory at once.
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
        shared++;
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
