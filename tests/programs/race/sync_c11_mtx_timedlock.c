// mtx_timedlock orders nothing when it fails.
#include <threads.h>

#include "check.h"
#include "unordered.h"

static mtx_t mutex;
static volatile int shared;

__attribute__((constructor)) static void prepare(void) {
    CHECK(mtx_init(&mutex, mtx_timed) == thrd_success);
}

static void first(void) {
    mtx_lock(&mutex);
    shared = 1;
}

static void second(void) {
    struct timespec deadline = in_milliseconds(CLOCK_REALTIME, 20);
    CHECK(mtx_timedlock(&mutex, &deadline) == thrd_timedout);
    shared = 2;
}
