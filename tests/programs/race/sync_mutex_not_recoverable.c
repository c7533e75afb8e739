// A robust mutex that was not made consistent cannot be locked any more, and the attempt orders nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex;
static volatile int shared;
static int step;

static void make_robust(pthread_mutex_t *mutex) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    CHECK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    CHECK(pthread_mutex_init(mutex, &attributes) == 0);
    pthread_mutexattr_destroy(&attributes);
}

static void *dies(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

static void *inherits(void *unused) {
    CHECK(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    shared = 1;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    invisible_signal(&step);
    return unused;
}

int main(void) {
    pthread_t thread;
    make_robust(&mutex);
    pthread_create(&thread, 0, dies, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, inherits, 0);
    invisible_wait(&step, 1);
    CHECK(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
