// The main thread ends by itself, and the process when the last thread does.
// LEVELS: O1
// RUN-EXIT: 66
// EXPECT: data race
#include <pthread.h>

#include "invisible.h"

static volatile int shared;
static int done;

static void *work(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    pthread_exit(0);
}
