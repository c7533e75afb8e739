// pthread_rwlock_clockrdlock orders nothing when it fails.
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
    struct timespec deadline = in_milliseconds(CLOCK_MONOTONIC, 20);
    CHECK(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    sink = shared;
}
