// A handler of quick_exit is not ordered with what comes after its registration.
// LEVELS: O1
// EXPECT: data race on `shared`
#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

static volatile int shared;
static int registered;

static void handler(void) {
    shared = 2;
}

static void *work(void *unused) {
    at_quick_exit(handler);
    shared = 1;
    invisible_signal(&registered);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    invisible_wait(&registered, 1);
    quick_exit(0);
}
