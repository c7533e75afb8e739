// Two threads take two locks of the program's own in opposite orders, one after the other.
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\) \(pid
// EXPECT: ^  Lock of lock_a while lock_b is held by thread T2, holding lock_b:$
// EXPECT: ^  Lock of lock_b while lock_a is held by thread T1, holding lock_a:$
// EXPECT: ^Goldilocks: 1 finding \(
#include <pthread.h>

#include "check.h"
#include "invisible.h"
#include "own_lock.h"

static int lock_a, lock_b, step;

static void both(int *outer, int *inner) {
    OWN_LOCK(outer, 0);
    OWN_LOCK(inner, 0);
    OWN_UNLOCK(inner, 0);
    OWN_UNLOCK(outer, 0);
}

static void *forwards(void *unused) {
    both(&lock_a, &lock_b);
    invisible_signal(&step);
    return unused;
}

static void *backwards(void *unused) {
    invisible_wait(&step, 1);
    both(&lock_b, &lock_a);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    CHECK(pthread_create(&threads[0], 0, forwards, 0) == 0);
    CHECK(pthread_create(&threads[1], 0, backwards, 0) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return 0;
}
