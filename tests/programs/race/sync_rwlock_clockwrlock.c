// pthread_rwlock_clockwrlock orders nothing when it fails.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_rwlock_wrlock(&lock);
    shared = 1;
}

static void second(void) {
    struct timespec deadline = in_milliseconds(CLOCK_MONOTONIC, 20);
    CHECK(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    shared = 2;
}
