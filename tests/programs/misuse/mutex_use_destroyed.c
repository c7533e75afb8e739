// EXPECT: ^WARNING: Goldilocks: use of a destroyed mutex on `lock`
// EXPECT: ^  Lock of lock by main thread T0:$
// EXPECT: ^  Destroyed by main thread T0:$
// EXPECT: #0 main .*mutex_use_destroyed.c:15
// EXPECT: ^  Unlock of lock by main thread T0:$
// EXPECT: ^  Destruction of lock by main thread T0:$
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock;

int main(void) {
    CHECK(pthread_mutex_init(&lock, 0) == 0);
    CHECK(pthread_mutex_destroy(&lock) == 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    return 0;
}
