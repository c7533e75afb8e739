// EXPECT: ^WARNING: Goldilocks: wait on a condition variable with a mutex that the thread does not hold on `lock`
// EXPECT: ^  Wait with lock, which is unlocked, by main thread T0:$
#include <errno.h>
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec soon = in_milliseconds(CLOCK_REALTIME, 10);
    pthread_cond_timedwait(&changed, &lock, &soon);
    return 0;
}
