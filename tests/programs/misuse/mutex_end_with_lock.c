// EXPECT: ^WARNING: Goldilocks: thread ended with a mutex locked on `lock`
// EXPECT: ^  Lock of lock by thread T1:$
// EXPECT: #0 forgetful .*mutex_end_with_lock.c:12
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *forgetful(void *unused) {

    CHECK(pthread_mutex_lock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, forgetful, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
