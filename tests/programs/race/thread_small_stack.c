// A thread with the smallest possible stack can have its race reported.
// EXPECT: data race on `counter`
#include "invisible.h"
#include <limits.h>
#include <pthread.h>

static int counter, step;

static void *first(void *argument) {
    counter++;
    invisible_signal(&step);
    return argument;
}

static void *second(void *argument) {
    invisible_wait(&step, 1);
    counter++;
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    pthread_create(&threads[0], &attributes, first, 0);
    pthread_create(&threads[1], &attributes, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
