// EXPECT: ^WARNING: Goldilocks: unlock of an unlocked mutex on `lock`
// EXPECT: ^  Unlock of lock by main thread T0:$
// EXPECT: #0 main .*mutex_unlock_unlocked.c:16
// EXPECT: ^SUMMARY: Goldilocks: unlock of an unlocked mutex .*mutex_unlock_unlocked.c:16
// RUN-EXIT: 66
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    for (int again = 0; again < 3; again++)
        pthread_mutex_unlock(&lock);
    return 0;
}
