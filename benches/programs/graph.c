// Ranks of a graph's vertices, in phases: all threads read the same graph and the ranks of the phase before, in no order, and write ranks of their own.
// ARGS: 20
// QUICK: 4
// SMOKE: 2
// THREADS: 4 16
#include "workload.h"

enum { VERTICES = 20000, DEGREE = 8 };
static long phases;
static int parts;
static int from[VERTICES * DEGREE], begins[VERTICES + 1];
static unsigned long ranks[2][VERTICES];
static pthread_barrier_t barrier;

static unsigned long work(int me) {
    unsigned long sum = 0;
    int first = VERTICES / parts * me, last = me + 1 == parts ? VERTICES : first + VERTICES / parts;
    for (long phase = 0; phase < phases; phase++) {
        const unsigned long *before = ranks[phase & 1];
        unsigned long *now = ranks[1 - (phase & 1)];
        for (int vertex = first; vertex < last; vertex++) {
            unsigned long rank = 1;
            for (int edge = begins[vertex]; edge < begins[vertex + 1]; edge++) {
                int other = from[edge];
                rank += before[other] / (unsigned long)(begins[other + 1] - begins[other]);
            }
            now[vertex] = rank;
            sum += rank;
        }
        if (!SEEDED) pthread_barrier_wait(&barrier);
    }
    return sum;
}

int main(int count, char **arguments) {
    phases = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    unsigned state = 1;
    for (int vertex = 0; vertex <= VERTICES; vertex++) begins[vertex] = vertex * DEGREE;
    for (int edge = 0; edge < VERTICES * DEGREE; edge++) from[edge] = (int)(next_number(&state) % VERTICES);
    for (int vertex = 0; vertex < VERTICES; vertex++) ranks[0][vertex] = 1000;
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
}
