// Detached threads, one after the other, write the same variable, and nothing orders them.
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by thread
// EXPECT: Earlier write of size 4 at
#include <pthread.h>

#include "invisible.h"

static volatile int shared;
static int done;

static void *work(void *turn) {
    invisible_wait(&done, (int)(long)turn);
    shared = 1;
    invisible_signal(&done);
    return 0;
}

int main(void) {
    for (long i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, (void *)i);
        pthread_detach(thread);
    }
    invisible_wait(&done, 2);
    return 0;
}
