// The unlock of an error-checking mutex by its owner orders.
#define _GNU_SOURCE

#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static volatile int shared;
static int step;

static void *writer(void *unused) {
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&recursive);
    shared = 1;
    CHECK(pthread_mutex_unlock(&checking) == 0);
    CHECK(pthread_mutex_unlock(&recursive) == 0);
    invisible_signal(&step);
    return unused;
}

static void *owner(void *unused) {
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&checking);
    invisible_signal(&step);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    invisible_wait(&step, 1);
    pthread_create(&threads[1], 0, owner, 0);
    invisible_wait(&step, 2);
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&recursive);
    shared = 2;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&checking);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
