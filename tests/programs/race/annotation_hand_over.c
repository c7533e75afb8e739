// A hand-over orders nothing but its range, and who touches it afterwards without order races.
// REPORTS: 2
// EXPECT: data race on `data`
// EXPECT: data race on `other`
#include "invisible.h"
#include <goldilocks.h>
#include <pthread.h>

_Static_assert(GOLDILOCKS_ENABLED, "this is compiled by Goldilocks");
static volatile int data, other, lock;
static int step;

static void *first(void *argument) {
    data = 1;
    other = 1;
    GOLDILOCKS_HAND_OVER(&data, sizeof data);
    data = 3;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    data = 2;
    other = 2;
    pthread_join(thread, 0);
    return 0;
}
