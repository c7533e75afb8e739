// A handler that runs after main has returned, while a detached thread's access was never ordered.
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by main thread
// EXPECT: #0 at_exit
// EXPECT: Earlier write of size 4 at
#include <pthread.h>
#include <stdlib.h>

#include "invisible.h"

static volatile int shared;
static int done;

static void *left_behind(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

static void at_exit(void) {
    shared = 2;
}

int main(void) {
    pthread_t thread;
    atexit(at_exit);
    pthread_create(&thread, 0, left_behind, 0);
    pthread_detach(thread);
    invisible_wait(&done, 1);
    return 0;
}
