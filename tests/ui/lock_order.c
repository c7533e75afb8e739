// Two threads take two locks in opposite orders, one after the other.
// LEVELS: O1
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
    // So that it is still there when the report is made.
    invisible_wait(&step, 2);
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
    invisible_signal(&step);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    CHECK(pthread_create(&threads[0], 0, forwards, 0) == 0);
    CHECK(pthread_create(&threads[1], 0, backwards, 0) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], 0) == 0);
    return 0;
}
