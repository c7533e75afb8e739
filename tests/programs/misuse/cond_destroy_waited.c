// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: destruction of a condition variable for which threads wait on `changed`
// EXPECT: ^  Destruction of changed, for which 1 thread waits, by main thread T0:$
// EXPECT: ^  Latest wait by thread T1
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int step;

static void *waiter(void *unused) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    invisible_signal(&step);
    for (;;) pthread_cond_wait(&changed, &lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, waiter, 0) == 0);
    invisible_wait(&step, 1);
    CHECK(pthread_mutex_lock(&lock) == 0);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    pthread_cond_destroy(&changed);
    return 0;
}
