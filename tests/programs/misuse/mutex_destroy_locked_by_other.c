// EXPECT: ^WARNING: Goldilocks: destruction of a locked mutex on `lock`
// EXPECT: ^  Destruction of lock, which T1 holds, by main thread T0:$
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int step;

static void *holder(void *unused) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    invisible_signal(&step);
    invisible_wait(&step, 2);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, holder, 0) == 0);
    invisible_wait(&step, 1);
    pthread_mutex_destroy(&lock);
    invisible_signal(&step);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
