// Two threads sweep their halves of arrays: a sum, and a three-point stencil with a barrier after each sweep.
// ARGS: 60
// QUICK: 20
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1 << 20, THREADS = 2 };
static double field[2][SIZE];
static double sums[THREADS][8];
static int sweeps;
static pthread_barrier_t barrier;

static void *work(void *number) {
    long me = (long)number, from = me * SIZE / THREADS, to = (me + 1) * SIZE / THREADS;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        const double *old = field[sweep & 1];
        double *new = field[~sweep & 1];
        double sum = 0;
        for (long i = from; i < to; i++) sum += old[i];
        sums[me][0] = sum;
        for (long i = from ? from : 1, end = to < SIZE ? to : SIZE - 1; i < end; i++)
            new[i] = (old[i - 1] + old[i] + old[i + 1]) / 3;
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(int count, char **arguments) {
    sweeps = count > 1 ? atoi(arguments[1]) : 1;
    for (long i = 0; i < SIZE; i++) field[0][i] = field[1][i] = (double)(i % 97);
    pthread_barrier_init(&barrier, 0, THREADS);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    printf("%.6f\n", sums[0][0] + sums[1][0]);
}
