// Detached threads are ordered by a mutex.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;
static int done;

static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    for (int i = 0; i < 20; i++) {
        CHECK(pthread_create(&thread, &attributes, child, 0) == 0);
        invisible_wait(&done, i + 1);
    }
    return 0;
}
