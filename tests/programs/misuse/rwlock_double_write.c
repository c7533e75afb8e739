// EXPECT: ^WARNING: Goldilocks: double lock of a rwlock on `lock`
// EXPECT: ^  Lock for writing of lock, which never returns, by main thread T0, holding lock:$
// EXPECT: ^  Lock for reading of lock, which never returns, by main thread T0, holding lock:$
#include <pthread.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    CHECK(pthread_rwlock_wrlock(&lock) == 0);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_rdlock(&lock);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
    return 0;
}
