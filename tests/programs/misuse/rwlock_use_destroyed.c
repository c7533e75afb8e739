// EXPECT: ^WARNING: Goldilocks: use of a destroyed rwlock on `lock`
// EXPECT: ^  Destroyed by main thread T0:$
// EXPECT: #0 main .*rwlock_use_destroyed.c:11
#include <pthread.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    CHECK(pthread_rwlock_destroy(&lock) == 0);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}
