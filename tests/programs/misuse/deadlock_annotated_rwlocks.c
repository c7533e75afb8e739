// The same by annotations that are made after the fact.
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\) \(pid
// EXPECT: ^Goldilocks: 1 finding \(
#include <pthread.h>

#include "check.h"
#include "invisible.h"

void AnnotateRWLockAcquired(const char *, int, void *, long);
void AnnotateRWLockReleased(const char *, int, void *, long);

static int lock_a, lock_b, step;

static void both(int *outer, int *inner) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, outer, 1);
    AnnotateRWLockAcquired(__FILE__, __LINE__, inner, 1);
    AnnotateRWLockReleased(__FILE__, __LINE__, inner, 1);
    AnnotateRWLockReleased(__FILE__, __LINE__, outer, 1);
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
