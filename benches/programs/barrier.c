// Short phases with a barrier after each: every thread writes its own part and reads everybody's.
// ARGS: 8000
// QUICK: 800
// SMOKE: 10
// THREADS: 4
// LONG
#include "workload.h"

enum { CELLS = 64 };
static unsigned long cells[2][16][CELLS];
static long phases;
static int parts;
static pthread_barrier_t barrier;

static unsigned long work(int me) {
    unsigned long sum = 0;
    for (long phase = 0; phase < phases; phase++) {
        unsigned long (*now)[CELLS] = cells[phase & 1];
        for (int i = 0; i < CELLS; i++) now[me][i] = sum + (unsigned long)i;
        if (!SEEDED) pthread_barrier_wait(&barrier);
        for (int other = 0; other < parts; other++)
            for (int i = 0; i < CELLS; i++) sum = sum * 3 + now[other][i];
    }
    return sum;
}

int main(int count, char **arguments) {
    phases = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
}
