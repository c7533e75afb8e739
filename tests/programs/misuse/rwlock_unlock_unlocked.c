// EXPECT: ^WARNING: Goldilocks: unlock of an unlocked rwlock on `lock`
// OPTIONS: halt_on_error=1
#include <pthread.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    CHECK(pthread_rwlock_rdlock(&lock) == 0);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return 0;
}
