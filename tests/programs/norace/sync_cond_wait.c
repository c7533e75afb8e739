// A wait that was ended by a signal comes after what the other thread did under the mutex.
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static volatile int shared, ready;
static int waiting, done;

static void *signaller(void *unused) {
    invisible_wait(&waiting, 1);
    shared = 1;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, signaller, 0);
    pthread_mutex_lock(&mutex);
    invisible_signal(&waiting);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
