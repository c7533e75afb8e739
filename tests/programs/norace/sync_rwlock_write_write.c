// Two writers are ordered by the lock.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_rwlock_wrlock(&lock);
    shared = 1;
    pthread_rwlock_unlock(&lock);
}

static void second(void) {
    pthread_rwlock_wrlock(&lock);
    shared = 2;
    pthread_rwlock_unlock(&lock);
}
