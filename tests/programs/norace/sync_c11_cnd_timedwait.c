// cnd_timedwait takes the mutex again also when the time is up, and so orders.
#include <threads.h>

#include "check.h"
#include "invisible.h"

static mtx_t mutex;
static cnd_t condition;
static volatile int shared;
static int waiting, done;

static int other(void *unused) {
    (void)unused;
    invisible_wait(&waiting, 1);
    mtx_lock(&mutex);
    shared = 1;
    mtx_unlock(&mutex);
    invisible_signal(&done);
    return 0;
}

int main(void) {
    thrd_t thread;
    CHECK(mtx_init(&mutex, mtx_plain) == thrd_success);
    CHECK(cnd_init(&condition) == thrd_success);
    CHECK(thrd_create(&thread, other, 0) == thrd_success);
    mtx_lock(&mutex);
    invisible_signal(&waiting);
    do {
        struct timespec deadline = in_milliseconds(CLOCK_REALTIME, 20);
        CHECK(cnd_timedwait(&condition, &mutex, &deadline) == thrd_timedout);
    } while (invisible_count(&done) == 0);
    shared = 2;
    mtx_unlock(&mutex);
    thrd_join(thread, 0);
    return 0;
}
