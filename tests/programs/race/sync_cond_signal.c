// A signal alone orders nothing, only the mutex does.
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static volatile int shared;
static int waiting;

static void *signaller(void *unused) {
    invisible_wait(&waiting, 1);
    // Gets the mutex when the main thread is in the wait.
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    shared = 1;
    pthread_cond_signal(&condition);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, signaller, 0);
    pthread_mutex_lock(&mutex);
    invisible_signal(&waiting);
    pthread_cond_wait(&condition, &mutex);
    shared = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
