// Only who owns a range can hand it over.
// REPORTS: 1
// EXPECT: data race on `data`
#include "invisible.h"
#include <goldilocks.h>
#include <pthread.h>

_Static_assert(GOLDILOCKS_ENABLED, "this is compiled by Goldilocks");
static volatile int data, other, lock;
static int step;

static void *first(void *argument) {
    data = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    GOLDILOCKS_HAND_OVER(&data, sizeof data);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
