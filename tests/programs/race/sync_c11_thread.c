// Between thrd_create and thrd_join nothing is ordered.
#include <threads.h>

#include "check.h"
#include "invisible.h"

static volatile int shared, before;
static int done;

static int child(void *unused) {
    (void)unused;
    shared = before;
    invisible_signal(&done);
    return 42;
}

int main(void) {
    thrd_t thread;
    int result = 0;
    before = 1;
    CHECK(thrd_create(&thread, child, 0) == thrd_success);
    invisible_wait(&done, 1);
    shared = 2;
    CHECK(thrd_join(thread, &result) == thrd_success);
    CHECK(result == 42);
    return 0;
}
