// What comes before the registration of a handler of quick_exit comes before its run.
// LEVELS: O1
#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

static volatile int shared;
static int registered;

static void handler(void) {
    shared = 2;
}

static void *work(void *unused) {
    shared = 1;
    at_quick_exit(handler);
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
