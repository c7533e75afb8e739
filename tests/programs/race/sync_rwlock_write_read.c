// A reader does not come after what the writer did later.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared, sink;

static void first(void) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    shared = 1;
}

static void second(void) {
    pthread_rwlock_rdlock(&lock);
    sink = shared;
    pthread_rwlock_unlock(&lock);
}
