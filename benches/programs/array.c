// Doubles: threads sweep their parts of an array, a sum and a three-point stencil, with a barrier after each sweep.
// ARGS: 60
// QUICK: 15
// SMOKE: 2
// THREADS: 2
// SINGLE
// LONG
#include "workload.h"

enum { SIZE = 1 << 20 };
static double field[2][SIZE];
static long sweeps;
static int parts;
static pthread_barrier_t barrier;

static unsigned long work(int me) {
    long from = me * (SIZE / parts), to = me + 1 == parts ? SIZE : from + SIZE / parts;
    double sum = 0;
    for (long sweep = 0; sweep < sweeps; sweep++) {
        const double *old = field[sweep & 1];
        double *new = field[~sweep & 1];
        for (long i = from; i < to; i++) sum += old[i];
        for (long i = from ? from : 1, end = to < SIZE ? to : SIZE - 1; i < end; i++)
            new[i] = (old[i - 1] + old[i] + old[i + 1]) / 3;
        if (!SEEDED && parts > 1) pthread_barrier_wait(&barrier);
    }
    return (unsigned long)sum;
}

int main(int count, char **arguments) {
    sweeps = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    for (long i = 0; i < SIZE; i++) field[0][i] = field[1][i] = (double)(i % 97);
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
