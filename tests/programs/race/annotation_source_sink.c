// A source on one address, told by annotation, and a sink on another one order nothing.
// EXPECT: data race on `data`
#include "invisible.h"
#include <goldilocks.h>
#include <pthread.h>

static volatile int data, object, other, step;

static void *first(void *argument) {
    data = 1;
    GOLDILOCKS_SOURCE(&object);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    GOLDILOCKS_SINK(&other);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
