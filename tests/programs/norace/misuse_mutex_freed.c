// The memory of a mutex is freed after a join of the last thread that uses it.
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "ordered.h"

static pthread_mutex_t *lock;

__attribute__((constructor)) static void make(void) {
    lock = malloc(sizeof *lock);
    CHECK(pthread_mutex_init(lock, 0) == 0);
}

static void first(void) {
    CHECK(pthread_mutex_lock(lock) == 0);
    CHECK(pthread_mutex_unlock(lock) == 0);
}

static void second(void) { free(lock); }
