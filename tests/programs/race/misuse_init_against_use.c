// Nothing orders the initialization of a lock before its use.
// REPORTS: 1
#include <pthread.h>

#include "check.h"
#include "unordered.h"

static pthread_rwlock_t lock;

static void first(void) { CHECK(pthread_rwlock_init(&lock, 0) == 0); }

static void second(void) {
    CHECK(pthread_rwlock_rdlock(&lock) == 0);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
}
