// The initialization of a lock, and its use after a join.
#include <pthread.h>

#include "check.h"
#include "ordered.h"

static pthread_rwlock_t lock;

static void first(void) { CHECK(pthread_rwlock_init(&lock, 0) == 0); }

static void second(void) {
    CHECK(pthread_rwlock_rdlock(&lock) == 0);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
}
