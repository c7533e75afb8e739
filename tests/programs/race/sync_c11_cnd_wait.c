// What is done after the unlock that follows cnd_broadcast is not ordered by the wait.
#include <threads.h>

#include "check.h"
#include "invisible.h"

static mtx_t mutex;
static cnd_t condition;
static volatile int shared, ready;
static int waiting, done;

static int signaller(void *unused) {
    (void)unused;
    invisible_wait(&waiting, 1);
    mtx_lock(&mutex);
    ready = 1;
    cnd_broadcast(&condition);
    mtx_unlock(&mutex);
    shared = 1;
    invisible_signal(&done);
    return 0;
}

int main(void) {
    thrd_t thread;
    CHECK(mtx_init(&mutex, mtx_plain) == thrd_success);
    CHECK(cnd_init(&condition) == thrd_success);
    CHECK(thrd_create(&thread, signaller, 0) == thrd_success);
    mtx_lock(&mutex);
    invisible_signal(&waiting);
    while (!ready) cnd_wait(&condition, &mutex);
    mtx_unlock(&mutex);
    invisible_wait(&done, 1);
    shared = 2;
    thrd_join(thread, 0);
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
    return 0;
}
