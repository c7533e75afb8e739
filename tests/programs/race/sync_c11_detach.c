// A C11 thread that was detached is ordered by nothing.
#include <threads.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static mtx_t mutex;
static int done;

static int child(void *unused) {
    (void)unused;
    shared++;
    invisible_signal(&done);
    return 0;
}

int main(void) {
    mtx_init(&mutex, mtx_plain);
    for (int i = 0; i < 10; i++) {
        thrd_t thread;
        CHECK(thrd_create(&thread, child, 0) == thrd_success);
        CHECK(thrd_detach(thread) == thrd_success);
        invisible_wait(&done, i + 1);
    }
    return 0;
}
