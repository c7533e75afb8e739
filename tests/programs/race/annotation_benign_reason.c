// A benign race is told at exit with its reason, besides a race that is none.
// REPORTS: 1
// EXPECT: 1 time  "approximate on purpose"
#include "invisible.h"
#include <goldilocks.h>
#include <pthread.h>

_Static_assert(GOLDILOCKS_ENABLED, "this is compiled by Goldilocks");
static volatile int data, other, lock;
static int step;

static void *first(void *argument) {
    data = 1;
    other = 1;
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    GOLDILOCKS_BENIGN_RACE(&data, sizeof data, "approximate on purpose");
    data = 2;
    other = 2;
    pthread_join(thread, 0);
    return 0;
}
