// EXPECT: ^WARNING: Goldilocks: thread ended with a lock locked on `lock`
// EXPECT: ^  Lock of lock by thread T1:$
// EXPECT: #0 forgetful .*own_lock_end.c:12
#include <pthread.h>

#include "check.h"
#include "own_lock.h"

static int lock;

static void *forgetful(void *unused) {
    OWN_LOCK(&lock, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, forgetful, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
