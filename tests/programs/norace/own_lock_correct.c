// Locks of the program's own, used in ways that look like misuse: taken again where that is allowed, tried while held, in an
// opposite order by attempts only, in opposite orders that are never at the same time, made again where one was.
#include <pthread.h>

#include "check.h"
#include "invisible.h"
#include "own_lock.h"

static int again, said_late, plain, lock_a, lock_b, step;

static void *forwards(void *unused) {
    OWN_LOCK(&lock_a, 0);
    OWN_LOCK(&lock_b, 0);
    OWN_UNLOCK(&lock_b, 0);
    OWN_UNLOCK(&lock_a, 0);
    invisible_signal(&step);
    return unused;
}

static void *backwards_by_attempt(void *unused) {
    invisible_wait(&step, 1);
    OWN_LOCK(&lock_b, 0);
    OWN_LOCK(&lock_a, OWN_TRY);
    OWN_UNLOCK(&lock_a, 0);
    OWN_UNLOCK(&lock_b, 0);
    return unused;
}

int main(void) {
    __tsan_mutex_create(&again, OWN_REENTRANT);
    OWN_LOCK(&again, 0);
    OWN_LOCK(&again, 0);
    OWN_UNLOCK(&again, 0);
    OWN_UNLOCK(&again, 0);
    __tsan_mutex_destroy(&again, 0);

    OWN_LOCK(&said_late, OWN_REENTRANT);
    OWN_LOCK(&said_late, OWN_REENTRANT);
    OWN_UNLOCK(&said_late, OWN_REENTRANT);
    OWN_UNLOCK(&said_late, OWN_REENTRANT);

    // Readers again, and an attempt that fails.
    OWN_LOCK(&plain, OWN_READ);
    OWN_LOCK(&plain, OWN_READ);
    OWN_UNLOCK(&plain, OWN_READ);
    OWN_UNLOCK(&plain, OWN_READ);
    OWN_LOCK(&plain, 0);
    __tsan_mutex_pre_lock(&plain, OWN_TRY);
    __tsan_mutex_post_lock(&plain, OWN_TRY | 32, 1);
    OWN_UNLOCK(&plain, 0);
    // Without a creation: another lock at the same place.
    __tsan_mutex_destroy(&plain, 0);
    OWN_LOCK(&plain, 0);
    OWN_UNLOCK(&plain, 0);

    pthread_t threads[2];
    CHECK(pthread_create(&threads[0], 0, forwards, 0) == 0);
    CHECK(pthread_create(&threads[1], 0, backwards_by_attempt, 0) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);

    // In the opposite order when the others are done.
    OWN_LOCK(&lock_b, 0);
    OWN_LOCK(&lock_a, 0);
    OWN_UNLOCK(&lock_a, 0);
    OWN_UNLOCK(&lock_b, 0);
    return 0;
}
