// Order goes on through a third thread and a second mutex.
#include <pthread.h>

#include "invisible.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;
static int step;

static void touch(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static void *writer(void *unused) {
    shared = 1;
    touch(&one);
    invisible_signal(&step);
    return unused;
}

static void *between(void *unused) {
    invisible_wait(&step, 1);
    touch(&one);
    touch(&two);
    invisible_signal(&step);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, between, 0);
    invisible_wait(&step, 2);
    touch(&two);
    shared = 2;
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
