// Two threads whose waits were ended by one broadcast are not ordered by it.
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static volatile int shared, ready;
static int waiting;
static int step;

static void *waiter(void *argument) {
    int *mine = argument;
    pthread_mutex_lock(&mutex);
    invisible_signal(&waiting);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    invisible_wait(&step, *mine);
    shared++;
    invisible_signal(&step);
    return 0;
}

int main(void) {
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, waiter, &numbers[i]);
    invisible_wait(&waiting, 2);
    pthread_mutex_lock(&mutex);
    shared = 1;
    ready = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
