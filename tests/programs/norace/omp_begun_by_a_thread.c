// OpenMP is begun by one thread, and another one ends it, which gives back what it had made then.
// FLAGS: -fopenmp
#include <pthread.h>
#include <unistd.h>

#include "invisible.h"

static int begun;

static void regions(int *values) {
    for (int round = 0; round < 30; round++) {
#pragma omp parallel for num_threads(1 + round % 4)
        for (int i = 0; i < 40; i++) {
            values[i]++;
        }
    }
}

static void *work(void *values) {
    regions(values);
    invisible_signal(&begun);
    for (;;) {
        pause();
    }
    return 0;
}

int main(void) {
    static int a[40], b[40];
    pthread_t thread;
    pthread_create(&thread, 0, work, a);
    invisible_wait(&begun, 1);
    regions(b);
    return b[39] != 30;
}
