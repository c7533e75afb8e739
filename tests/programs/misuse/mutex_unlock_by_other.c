// EXPECT: ^WARNING: Goldilocks: unlock of a mutex by a thread that does not hold it on `lock`
// EXPECT: ^  Unlock of lock, which T0 holds, by thread T1
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *unlocker(void *unused) {
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, unlocker, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
