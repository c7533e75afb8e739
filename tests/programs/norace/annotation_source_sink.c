// A source and a sink on one address, told by annotation, order what is before and after them.
#include "invisible.h"
#include <goldilocks.h>
#include <pthread.h>

static volatile int data, object, step;

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
    GOLDILOCKS_SINK(&object);
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
