// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: double lock of a mutex on `lock`
// EXPECT: ^  Lock of lock, which never returns, by main thread T0, holding lock:$
// EXPECT: #0 main .*mutex_double_lock.c:16
// EXPECT: ^  Locked before by main thread T0:$
// EXPECT: #0 main .*mutex_double_lock.c:15
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock;

int main(void) {
    CHECK(pthread_mutex_init(&lock, 0) == 0);
    CHECK(pthread_mutex_lock(&lock) == 0);
    pthread_mutex_lock(&lock);
    return 0;
}
