// An error-checking mutex orders what is done under it.
#define _GNU_SOURCE

#include "check.h"
#include "unordered.h"

static pthread_mutex_t mutex;
static volatile int shared;

__attribute__((constructor)) static void prepare(void) {
    pthread_mutexattr_t attributes;
    CHECK(pthread_mutexattr_init(&attributes) == 0);
    CHECK(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK) == 0);
    CHECK(pthread_mutex_init(&mutex, &attributes) == 0);
    pthread_mutexattr_destroy(&attributes);
}

static void first(void) {
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    shared = 2;
    pthread_mutex_unlock(&mutex);
}
