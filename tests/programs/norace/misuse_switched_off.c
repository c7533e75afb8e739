// Findings that are not wanted: by option, and by suppression.
// OPTIONS: report_mutex_bugs=0:report_destroy_locked=0:print_suppressions=0
#include <pthread.h>

#include "invisible.h"

const char *__goldilocks_default_suppressions(void) { return "deadlock:^backwards$\n"; }

static int step;
static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;

static void *forwards(void *unused) {
    pthread_mutex_lock(&lock_a);
    pthread_mutex_lock(&lock_b);
    pthread_mutex_unlock(&lock_b);
    pthread_mutex_unlock(&lock_a);
    invisible_signal(&step);
    return unused;
}

__attribute__((noinline)) static void *backwards(void *unused) {
    pthread_mutex_lock(&lock_b);
    pthread_mutex_lock(&lock_a);
    pthread_mutex_unlock(&lock_a);
    pthread_mutex_unlock(&lock_b);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, forwards, 0);
    invisible_wait(&step, 1);
    backwards(0);
    pthread_join(thread, 0);
    pthread_mutex_unlock(&lock_a);
    pthread_mutex_lock(&lock_a);
    pthread_mutex_destroy(&lock_a);
    return 0;
}
