// Regions of all sizes one after another, from two threads of the program at once.
// FLAGS: -fopenmp
#include <pthread.h>
#include <stdlib.h>

static void *work(void *results) {
    int *mine = results;
    for (int round = 0; round < 30; round++) {
        int threads = 1 + round % 4;
#pragma omp parallel for num_threads(threads)
        for (int i = 0; i < 40; i++) mine[i] += i;
        mine[round]++;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    int *a = calloc(40, sizeof *a), *b = calloc(40, sizeof *b);
    pthread_create(&thread, 0, work, a);
    work(b);
    pthread_join(thread, 0);
    int sum = a[39] + b[39];
    free(a);
    free(b);
    return sum != 2 * 30 * 39;
}
