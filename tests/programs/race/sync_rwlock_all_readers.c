// A writer does not come after a thread that read without the lock.
// REPORTS: 1
#include <pthread.h>

#include "invisible.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int shared, sink[4];
static int done;

static void *reader(void *argument) {
    int number = *(int *)argument;
    invisible_wait(&done, number);
    if (number != 0) pthread_rwlock_rdlock(&lock);
    sink[number] = shared;
    if (number != 0) pthread_rwlock_unlock(&lock);
    invisible_signal(&done);
    return 0;
}

int main(void) {
    static int numbers[4] = {0, 1, 2, 3};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, reader, &numbers[i]);
    invisible_wait(&done, 4);
    pthread_rwlock_wrlock(&lock);
    shared = 1;
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    return 0;
}
