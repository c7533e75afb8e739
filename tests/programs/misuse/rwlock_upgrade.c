// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: write lock of a rwlock that the thread holds for reading on `lock`
// EXPECT: ^  Lock for writing of lock, which never returns, by main thread T0, holding lock \(for reading\):$
// EXPECT: ^  Locked for reading before by main thread T0:$
// EXPECT: #0 main .*rwlock_upgrade.c:12
#include <pthread.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    CHECK(pthread_rwlock_rdlock(&lock) == 0);
    pthread_rwlock_wrlock(&lock);
    return 0;
}
