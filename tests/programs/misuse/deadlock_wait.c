// A wait for a condition variable locks its mutex again, while the thread holds another lock.
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\)
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *waits(void *unused) {
    CHECK(pthread_mutex_lock(&inner) == 0);
    CHECK(pthread_mutex_lock(&outer) == 0);
    struct timespec soon = in_milliseconds(CLOCK_REALTIME, 1);
    CHECK(pthread_cond_timedwait(&changed, &inner, &soon) == ETIMEDOUT);
    CHECK(pthread_mutex_unlock(&outer) == 0);
    CHECK(pthread_mutex_unlock(&inner) == 0);
    invisible_signal(&turn);
    return unused;
}

static void *nests(void *unused) {
    invisible_wait(&turn, 1);
    CHECK(pthread_mutex_lock(&inner) == 0);
    CHECK(pthread_mutex_lock(&outer) == 0);
    CHECK(pthread_mutex_unlock(&outer) == 0);
    CHECK(pthread_mutex_unlock(&inner) == 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    CHECK(pthread_create(&threads[0], 0, waits, 0) == 0);
    CHECK(pthread_create(&threads[1], 0, nests, 0) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return 0;
}
