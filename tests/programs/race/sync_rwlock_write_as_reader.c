// Two threads that hold a lock for reading are not ordered by it; the report says what is wrong.
// EXPECT: both hold `?lock`? for reading only
#include "invisible.h"
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared;
static int step;

static void *first(void *argument) {
    pthread_rwlock_rdlock(&lock);
    shared = 1;
    pthread_rwlock_unlock(&lock);
    invisible_signal(&step);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    invisible_wait(&step, 1);
    pthread_rwlock_rdlock(&lock);
    shared = 2;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
