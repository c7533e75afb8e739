// Six threads meet at a barrier for two, in whatever pairs, and use afterwards what only a lock could protect.
#include <pthread.h>

#include "invisible.h"

enum { THREADS = 6, MEETINGS = 200 };

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int arrivals;
static int ended;
static volatile int shared;

static int arrive(void) {
    pthread_mutex_lock(&mutex);
    int number = arrivals++;
    pthread_mutex_unlock(&mutex);
    return number < 2 * MEETINGS;
}

static void *worker(void *argument) {
    while (arrive()) pthread_barrier_wait(&barrier);
    int number = *(int *)argument;
    invisible_wait(&ended, number);
    shared++;
    invisible_signal(&ended);
    return argument;
}

int main(void) {
    static int numbers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, 0, 2);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    shared++;
    pthread_barrier_destroy(&barrier);
    return 0;
}
