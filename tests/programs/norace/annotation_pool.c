// What a pool hands out anew is fresh.
#include "invisible.h"
#include <goldilocks.h>
#include <pthread.h>

_Static_assert(GOLDILOCKS_ENABLED, "this is compiled by Goldilocks");
static volatile int data, other, lock;
static int step;

static void *first(void *argument) {
    data = 1;
    GOLDILOCKS_FREED(&data, sizeof data);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    GOLDILOCKS_ALLOCATED(&data, sizeof data);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
