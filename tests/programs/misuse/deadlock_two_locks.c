// Two threads take two locks in opposite orders, one after the other.
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\) \(pid
// EXPECT: ^  Lock of lock_a while lock_b is held by thread T2, holding lock_b:$
// EXPECT: ^  lock_b was locked by thread T2:$
// EXPECT: ^  Lock of lock_b while lock_a is held by thread T1, holding lock_a:$
// EXPECT: ^  help: the locks form a cycle, lock_b -> lock_a -> lock_b:
// EXPECT: ^Goldilocks: 1 finding \(
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static int step;

static void *forwards(void *unused) {
    for (int again = 0; again < 3; again++) {
        CHECK(pthread_mutex_lock(&lock_a) == 0);
        CHECK(pthread_mutex_lock(&lock_b) == 0);
        CHECK(pthread_mutex_unlock(&lock_b) == 0);
        CHECK(pthread_mutex_unlock(&lock_a) == 0);
    }
    invisible_signal(&step);
    return unused;
}

static void *backwards(void *unused) {
    invisible_wait(&step, 1);
    for (int again = 0; again < 3; again++) {
        CHECK(pthread_mutex_lock(&lock_b) == 0);
        CHECK(pthread_mutex_lock(&lock_a) == 0);
        CHECK(pthread_mutex_unlock(&lock_a) == 0);
        CHECK(pthread_mutex_unlock(&lock_b) == 0);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    CHECK(pthread_create(&threads[0], 0, forwards, 0) == 0);
    CHECK(pthread_create(&threads[1], 0, backwards, 0) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return 0;
}
