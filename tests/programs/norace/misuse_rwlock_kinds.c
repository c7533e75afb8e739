// Readers-writer locks used as they are meant to be: recursive readers, attempts while they are held, timed ones.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t all;

static void *work(void *unused) {
    for (int round = 0; round < 100; round++) {
        CHECK(pthread_rwlock_rdlock(&lock) == 0);
        CHECK(pthread_rwlock_tryrdlock(&lock) == 0);
        CHECK(pthread_rwlock_trywrlock(&lock) == EBUSY);
        CHECK(pthread_rwlock_unlock(&lock) == 0);
        CHECK(pthread_rwlock_unlock(&lock) == 0);
        CHECK(pthread_rwlock_wrlock(&lock) == 0);
        CHECK(pthread_rwlock_tryrdlock(&lock) == EBUSY);
        CHECK(pthread_rwlock_trywrlock(&lock) == EBUSY);
        CHECK(pthread_rwlock_unlock(&lock) == 0);
        struct timespec soon = in_milliseconds(CLOCK_REALTIME, 20000);
        CHECK(pthread_rwlock_timedwrlock(&lock, &soon) == 0);
        CHECK(pthread_rwlock_unlock(&lock) == 0);
        CHECK(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &soon) == 0);
        CHECK(pthread_rwlock_unlock(&lock) == 0);
    }
    int serial = pthread_barrier_wait(&all);
    if (serial == PTHREAD_BARRIER_SERIAL_THREAD) {
        CHECK(pthread_rwlock_destroy(&lock) == 0);
        CHECK(pthread_rwlock_init(&lock, 0) == 0);
        CHECK(pthread_rwlock_rdlock(&lock) == 0);
        CHECK(pthread_rwlock_unlock(&lock) == 0);
    }
    return unused;
}

int main(void) {
    CHECK(pthread_barrier_init(&all, 0, 3) == 0);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, work, 0) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], 0) == 0);
    CHECK(pthread_barrier_destroy(&all) == 0);
    return 0;
}
