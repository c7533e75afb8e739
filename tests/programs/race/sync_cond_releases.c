// A wait gives its mutex away, but not to a thread that does not take it.
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static volatile int shared, ready;
static int waiting;

static void *other(void *unused) {
    invisible_wait(&waiting, 1);
    // Ends when the main thread waits, and not before.
    shared = 2;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&mutex);
    shared = 1;
    invisible_signal(&waiting);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
