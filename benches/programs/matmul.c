// Matrices are multiplied: the factors are read by all threads, each writes its own rows.
// ARGS: 500
// QUICK: 250
// SMOKE: 20
// THREADS: 2
// SINGLE
#include "workload.h"

static long size;
static int parts;
static double *a, *b, *c;

static unsigned long work(int me) {
    for (long i = me * size / parts; i < (me + 1) * size / parts; i++)
        for (long j = 0; j < size; j++) {
            double sum = 0;
            for (long k = 0; k < size; k++) sum += a[i * size + k] * b[k * size + j];
            c[SEEDED ? j : i * size + j] = sum;
        }
    return 0;
}

int main(int count, char **arguments) {
    size = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    size_t cells = (size_t)(size * size);
    a = malloc(cells * sizeof *a);
    b = malloc(cells * sizeof *b);
    c = calloc(cells, sizeof *c);
    for (size_t i = 0; i < cells; i++) {
        a[i] = (double)(i % 7);
        b[i] = (double)(i % 11);
    }
    in_threads(threads_argument(count, arguments), work);
    double sum = 0;
    for (size_t i = 0; i < cells; i++) sum += c[i];
    printf("%.0f\n", sum);
    free(a);
    free(b);
    free(c);
}
