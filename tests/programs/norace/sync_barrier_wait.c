// What is done before a barrier comes before what is done after it.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_barrier_t barrier;
static volatile int shared;
static int done;

static void *other(void *unused) {
    shared = 1;
    pthread_barrier_wait(&barrier);
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_barrier_init(&barrier, 0, 2) == 0);
    pthread_create(&thread, 0, other, 0);
    pthread_barrier_wait(&barrier);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
