// The cleanup handlers of a thread that is cancelled are not ordered before it is joined.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static int started;

static void cleanup(void *unused) {
    (void)unused;
    shared = 1;
    invisible_signal(&done);
}

static void *child(void *unused) {
    pthread_cleanup_push(cleanup, 0);
    invisible_signal(&started);
    for (;;) {
        pthread_testcancel();
        invisible_pause(1);
    }
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, child, 0);
    invisible_wait(&started, 1);
    pthread_cancel(thread);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
    return 0;
}
