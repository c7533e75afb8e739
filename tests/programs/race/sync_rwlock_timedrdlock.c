// pthread_rwlock_timedrdlock orders nothing when it fails.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared, sink;

static void first(void) {
    pthread_rwlock_wrlock(&lock);
    shared = 1;
}

static void second(void) {
    struct timespec deadline = in_milliseconds(CLOCK_REALTIME, 20);
    CHECK(pthread_rwlock_timedrdlock(&lock, &deadline) == ETIMEDOUT);
    sink = shared;
}
