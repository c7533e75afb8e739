// A process-shared barrier orders.
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
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    CHECK(pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
    CHECK(pthread_barrier_init(&barrier, &attributes, 2) == 0);
    pthread_create(&thread, 0, other, 0);
    pthread_barrier_wait(&barrier);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
