// EXPECT: ^WARNING: Goldilocks: unlock of a rwlock by a thread that does not hold it on `lock`
// OPTIONS: halt_on_error=1
#define _GNU_SOURCE
#include <pthread.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlocker(void *unused) {
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    CHECK(pthread_rwlock_wrlock(&lock) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, unlocker, 0) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
