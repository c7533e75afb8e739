// Threads that use a stack one after the other do meet on a global variable.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static int done;
static volatile int shared;

static void *child(void *unused) {
    volatile char local[10000];
    for (unsigned i = 0; i < sizeof local; i++) local[i] = 1;
    (void)unused;
    shared++;
    invisible_signal(&done);
    return local[77] ? 0 : (void *)&done;
}

int main(void) {
    for (int i = 0; i < 50; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, 0, child, 0) == 0);
        pthread_detach(thread);
        invisible_wait(&done, i + 1);
        invisible_pause(1);
    }
    return 0;
}
