// pthread_mutex_clocklock orders nothing when it fails.
#define _GNU_SOURCE

#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_mutex_lock(&mutex);
    shared = 1;
}

static void second(void) {
    struct timespec deadline = in_milliseconds(CLOCK_MONOTONIC, 20);
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    shared = 2;
}
