// What comes before the registration of an exit handler comes before its run, on whichever thread.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

static volatile int shared, passed;
static int registered;

static void at_exit(void) {
    shared = 2;
}

static void on_exit_handler(int status, void *argument) {
    *(volatile int *)argument = status;
}

static void *work(void *unused) {
    shared = 1;
    passed = 1;
    atexit(at_exit);
    on_exit(on_exit_handler, (void *)&passed);
    invisible_signal(&registered);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    invisible_wait(&registered, 1);
    return 0;
}
