// A thread that is cancelled in a wait has the mutex again when its cleanup handlers run, and is ordered by it.
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static volatile int shared;
static int waiting;

static void cleanup(void *unused) {
    (void)unused;
    shared = 2;
    pthread_mutex_unlock(&mutex);
}

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(cleanup, 0);
    invisible_signal(&waiting);
    for (;;) pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, waiter, 0);
    invisible_wait(&waiting, 1);
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
    // The cleanup handler has unlocked it.
    CHECK(pthread_mutex_trylock(&mutex) == 0);
    return 0;
}
