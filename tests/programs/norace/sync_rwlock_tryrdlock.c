// pthread_rwlock_tryrdlock orders when it gets the lock.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared, sink;

static void first(void) {
    pthread_rwlock_wrlock(&lock);
    shared = 1;
    pthread_rwlock_unlock(&lock);
}

static void second(void) {
    CHECK(pthread_rwlock_tryrdlock(&lock) == 0);
    sink = shared;
    pthread_rwlock_unlock(&lock);
}
