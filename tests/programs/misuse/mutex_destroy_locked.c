// EXPECT: ^WARNING: Goldilocks: destruction of a locked mutex on `lock`
// EXPECT: ^  Destruction of lock by main thread T0, holding lock:$
// EXPECT: ^  Locked by main thread T0:$
// EXPECT: #0 main .*mutex_destroy_locked.c:13
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    pthread_mutex_destroy(&lock);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
