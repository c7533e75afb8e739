// A robust mutex whose owner has ended orders all that the owner did before whoever locks it next.
#define _GNU_SOURCE
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_mutex_t mutex, other;
static volatile int shared;

static void make_robust(pthread_mutex_t *mutex) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    CHECK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    CHECK(pthread_mutex_init(mutex, &attributes) == 0);
    pthread_mutexattr_destroy(&attributes);
}

__attribute__((constructor)) static void prepare(void) {
    make_robust(&mutex);
    make_robust(&other);
}

static void first(void) {
    pthread_mutex_lock(&mutex);
    shared = 1;
}

static void second(void) {
    CHECK(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    CHECK(pthread_mutex_consistent(&mutex) == 0);
    shared = 2;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}
