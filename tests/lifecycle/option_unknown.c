// An option that does not exist is named, with the nearest that does.
// LEVELS: O1
// OPTIONS: halt_on_eror=0
// EXPECT: halt_on_eror
// EXPECT: halt_on_error
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
    return 0;
}
