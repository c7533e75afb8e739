// A mutex is locked in memory that another thread has freed before, unordered.
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// OPTIONS: halt_on_error=1
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "unordered.h"

static pthread_mutex_t *lock;

__attribute__((constructor)) static void make(void) {
    lock = malloc(sizeof *lock);
    CHECK(pthread_mutex_init(lock, 0) == 0);
}

static void first(void) {
    CHECK(pthread_mutex_lock(lock) == 0);
    CHECK(pthread_mutex_unlock(lock) == 0);
    free(lock);
}

static void second(void) { pthread_mutex_lock(lock); }
