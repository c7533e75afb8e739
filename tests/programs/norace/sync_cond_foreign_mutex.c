// A wait with an error-checking mutex that the thread holds orders.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int shared;

static void first(void) {
    struct timespec deadline = in_milliseconds(CLOCK_REALTIME, 5);
    shared = 1;
    pthread_mutex_lock(&mutex);
    CHECK(pthread_cond_timedwait(&condition, &mutex, &deadline) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    shared = 2;
    pthread_mutex_unlock(&mutex);
}
