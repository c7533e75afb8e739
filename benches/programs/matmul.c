// Two threads multiply matrices: the factors are read by both, each writes its own rows.
// ARGS: 600
// QUICK: 250
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int size;
static double *a, *b, *c;

static void *work(void *number) {
    int me = (int)(long)number;
    for (int i = me * size / 2; i < (me + 1) * size / 2; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < size; k++) sum += a[i * size + k] * b[k * size + j];
            c[i * size + j] = sum;
        }
    return 0;
}

int main(int count, char **arguments) {
    size = count > 1 ? atoi(arguments[1]) : 10;
    size_t cells = (size_t)size * (size_t)size;
    a = malloc(cells * sizeof *a);
    b = malloc(cells * sizeof *b);
    c = malloc(cells * sizeof *c);
    for (size_t i = 0; i < cells; i++) {
        a[i] = (double)(i % 7);
        b[i] = (double)(i % 11);
    }
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    double sum = 0;
    for (size_t i = 0; i < cells; i++) sum += c[i];
    printf("%.0f\n", sum);
}
