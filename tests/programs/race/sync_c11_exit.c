// The tss destructors of a thread are not ordered before thrd_join.
#include <threads.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static tss_t key;
static int done;

static void destroy(void *unused) {
    (void)unused;
    shared = 1;
    invisible_signal(&done);
}

static int child(void *unused) {
    (void)unused;
    CHECK(tss_set(key, &done) == thrd_success);
    thrd_exit(7);
}

int main(void) {
    thrd_t thread;
    int result = 0;
    CHECK(tss_create(&key, destroy) == thrd_success);
    CHECK(thrd_create(&thread, child, 0) == thrd_success);
    invisible_wait(&done, 1);
    shared = 2;
    CHECK(thrd_join(thread, &result) == thrd_success);
    CHECK(result == 7);
    return 0;
}
