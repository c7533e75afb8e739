// pthread_cond_clockwait takes the mutex again also when the time is up, and so orders.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static volatile int shared;
static int waiting, done;

static void *other(void *unused) {
    invisible_wait(&waiting, 1);
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&mutex);
    invisible_signal(&waiting);
    do {
        struct timespec deadline = in_milliseconds(CLOCK_MONOTONIC, 20);
        CHECK(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    } while (invisible_count(&done) == 0);
    shared = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
