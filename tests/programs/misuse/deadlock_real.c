// The threads meet in the deadlock; it is reported before it is complete.
// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\)
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int met;

static void *work(void *number) {
    long mine = (long)number;
    CHECK(pthread_mutex_lock(&locks[mine]) == 0);
    invisible_meet(&met, 2);
    CHECK(pthread_mutex_lock(&locks[1 - mine]) == 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, work, (void *)1L) == 0);
    work((void *)0L);
    return 0;
}
