// An initialization that was cancelled is done again by the next caller, and its data are protected by a mutex.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;
static int inside, ended;

static void initialize(void) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    invisible_signal(&inside);
    if (invisible_count(&inside) > 1) return;
    for (;;) {
        pthread_testcancel();
        invisible_pause(1);
    }
}

static void signal_end(void *unused) {
    (void)unused;
    invisible_signal(&ended);
}

static void *initializer(void *unused) {
    pthread_cleanup_push(signal_end, 0);
    pthread_once(&once, initialize);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, initializer, 0);
    invisible_wait(&inside, 1);
    pthread_cancel(thread);
    invisible_wait(&ended, 1);
    pthread_once(&once, initialize);
    CHECK(invisible_count(&inside) == 2);
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
    return 0;
}
