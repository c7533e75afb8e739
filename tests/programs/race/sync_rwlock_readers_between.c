// A reader does not pass on to another reader what it did itself.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared, sink;

static void first(void) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    shared = 1;
    pthread_rwlock_unlock(&lock);
}

static void second(void) {
    pthread_rwlock_rdlock(&lock);
    sink = shared;
    pthread_rwlock_unlock(&lock);
}
