// A constructor starts a thread before main, and main does not wait for it.
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 4 at
// EXPECT: #0 early_thread
#include <pthread.h>

#include "invisible.h"

static volatile int shared;
static int done;
static pthread_t thread;

static void *early_thread(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

__attribute__((constructor(101))) static void before_main(void) {
    pthread_create(&thread, 0, early_thread, 0);
}

int main(void) {
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
