// Two threads that hold the lock for reading are not ordered by it.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_rwlock_rdlock(&lock);
    shared = 1;
    pthread_rwlock_unlock(&lock);
}

static void second(void) {
    pthread_rwlock_rdlock(&lock);
    shared = 2;
    pthread_rwlock_unlock(&lock);
}
