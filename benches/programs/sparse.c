// A sparse matrix by a vector, again and again: each thread reads its own rows, the parts of the vector that they name, and writes its part of the next one.
// ARGS: 60
// QUICK: 10
// SMOKE: 2
// THREADS: 4
#include "workload.h"

enum { ROWS = 1 << 15, MOST = 8 };
static int first_of[ROWS + 1], column[ROWS * MOST];
static double value[ROWS * MOST], vectors[2][ROWS];
static long rounds;
static int parts;
static pthread_barrier_t barrier;

static void make_matrix(void) {
    unsigned state = 11;
    for (int row = 0, at = 0; row < ROWS; row++) {
        int entries = 3 + (int)(next_number(&state) % (MOST - 2));
        for (int entry = 0; entry < entries; entry++, at++) {
            // Near the diagonal, mostly.
            unsigned number = next_number(&state);
            column[at] = (int)((number % 4 ? (unsigned)row + number % 64 : number) % ROWS);
            value[at] = (double)(number % 7) / 16;
        }
        first_of[row + 1] = at;
        vectors[0][row] = row % 5;
    }
}

static unsigned long work(int me) {
    int first = ROWS / parts * me, last = ROWS / parts * (me + 1);
    for (long round = 0; round < rounds; round++) {
        const double *old = vectors[round & 1];
        double *new = vectors[~round & 1];
        for (int row = first; row < last; row++) {
            double sum = 1;
            for (int at = first_of[row]; at < first_of[row + 1]; at++) sum += value[at] * old[column[at]];
            new[row] = sum > 1000 ? sum / 1024 : sum;
        }
        if (!SEEDED) pthread_barrier_wait(&barrier);
    }
    double sum = 0;
    for (int row = first; row < last; row++) sum += vectors[rounds & 1][row];
    return (unsigned long)sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    make_matrix();
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
