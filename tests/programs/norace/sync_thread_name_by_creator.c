// A creator may name a thread at once, and join it.
#define _GNU_SOURCE
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int go, done;

static void *child(void *unused) {
    invisible_wait(&go, 1);
    shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    CHECK(pthread_setname_np(thread, "from-outside") == 0);
    CHECK(pthread_setname_np(thread, "a name that is too long") != 0);
    invisible_signal(&go);
    invisible_wait(&done, 1);
    pthread_join(thread, 0);
    shared = 2;
    return 0;
}
