// A five-point stencil on a grid whose rows are shared out; neighbours read each other's border rows, a barrier ends each step.
// ARGS: 100
// QUICK: 25
// SMOKE: 2
// THREADS: 2
#include "workload.h"

enum { SIDE = 514 };
static float grid[2][SIDE][SIDE];
static long steps;
static int parts;
static pthread_barrier_t barrier;

static unsigned long work(int me) {
    int from = 1 + me * (SIDE - 2) / parts, to = 1 + (me + 1) * (SIDE - 2) / parts;
    for (long step = 0; step < steps; step++) {
        float (*old)[SIDE] = grid[step & 1], (*new)[SIDE] = grid[~step & 1];
        for (int y = from; y < to; y++)
            for (int x = 1; x < SIDE - 1; x++)
                new[y][x] = old[y][x] * 0.5f + 0.125f * (old[y - 1][x] + old[y + 1][x] + old[y][x - 1] + old[y][x + 1]);
        if (!SEEDED) pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(int count, char **arguments) {
    steps = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) grid[0][y][x] = grid[1][y][x] = (float)((x * y) % 17);
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    in_threads(threads_argument(count, arguments), work);
    double sum = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) sum += grid[steps & 1][y][x];
    printf("%.3f\n", sum);
}
