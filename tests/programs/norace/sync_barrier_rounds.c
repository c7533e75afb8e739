// Threads take turns over many rounds of one barrier.
#include <pthread.h>

#include "invisible.h"

enum { THREADS = 4, ROUNDS = 1000 };

static pthread_barrier_t barrier;
static volatile int shared;

static void *worker(void *argument) {
    int number = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        if (round % THREADS == number) shared++;
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(void) {
    static int numbers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
