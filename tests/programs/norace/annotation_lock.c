// A lock of the program's own, told by annotation, orders its critical sections.
#include "invisible.h"
#include <goldilocks.h>
#include <pthread.h>

static volatile int data, lock, step;

static void *first(void *argument) {
    GOLDILOCKS_LOCKED(&lock);
    data = 1;
    GOLDILOCKS_UNLOCKING(&lock);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    GOLDILOCKS_LOCKED(&lock);
    data = 2;
    GOLDILOCKS_UNLOCKING(&lock);
    pthread_join(thread, 0);
    return 0;
}
