// A plain read of what another thread writes atomically.
// LEVELS: O1
#include <pthread.h>
#include <stdatomic.h>

#include "invisible.h"

static _Atomic int flag;
static int done;

static void *work(void *unused) {
    atomic_store(&flag, 1);
    invisible_signal(&done);
    invisible_wait(&done, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    int seen = *(volatile int *)&flag;
    invisible_signal(&done);
    pthread_join(thread, 0);
    return seen == 1 ? 0 : 1;
}
