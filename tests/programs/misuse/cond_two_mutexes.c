// EXPECT: ^WARNING: Goldilocks: wait on one condition variable with two mutexes at a time on `changed`
// EXPECT: ^  Wait for changed with lock_b by main thread T0
// EXPECT: ^  Wait that goes on, with lock_a by thread T1
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int step, stop;

static void *waiter(void *unused) {
    CHECK(pthread_mutex_lock(&lock_a) == 0);
    invisible_signal(&step);
    while (!stop) CHECK(pthread_cond_wait(&changed, &lock_a) == 0);
    CHECK(pthread_mutex_unlock(&lock_a) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, waiter, 0) == 0);
    invisible_wait(&step, 1);
    // From here on it waits.
    CHECK(pthread_mutex_lock(&lock_a) == 0);
    CHECK(pthread_mutex_unlock(&lock_a) == 0);
    struct timespec soon = in_milliseconds(CLOCK_REALTIME, 10);
    CHECK(pthread_mutex_lock(&lock_b) == 0);
    pthread_cond_timedwait(&changed, &lock_b, &soon);
    CHECK(pthread_mutex_unlock(&lock_b) == 0);
    CHECK(pthread_mutex_lock(&lock_a) == 0);
    stop = 1;
    CHECK(pthread_cond_broadcast(&changed) == 0);
    CHECK(pthread_mutex_unlock(&lock_a) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
