// Threads that use the same stack one after the other do not meet on it.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static int done;

static void *child(void *unused) {
    volatile char local[10000];
    for (unsigned i = 0; i < sizeof local; i++) local[i] = 1;
    (void)unused;
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
