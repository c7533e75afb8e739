// A thread that waits for the initialization by another one comes after it.
#include <pthread.h>

#include "invisible.h"

static pthread_once_t once = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static volatile int shared, nested;
static int inside, done;

static void initialize_inner(void) {
    nested = 1;
}

static void initialize(void) {
    invisible_signal(&inside);
    invisible_pause(20);
    pthread_once(&inner, initialize_inner);
    shared = 1;
}

static void *initializer(void *unused) {
    pthread_once(&once, initialize);
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, initializer, 0);
    invisible_wait(&inside, 1);
    pthread_once(&once, initialize);
    invisible_wait(&done, 1);
    shared = 2;
    nested = 2;
    pthread_join(thread, 0);
    return 0;
}
