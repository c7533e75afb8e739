// The game of life on two boards of atomic cells: each thread has a band of rows, and all wait for each other after each generation. Nothing but relaxed loads and stores.
// ARGS: 300
// QUICK: 40
// SMOKE: 2
// THREADS: 4
#include "workload.h"
#include <stdatomic.h>

enum { WIDTH = 256, HEIGHT = 128 };
static atomic_uint boards[2][HEIGHT][WIDTH];
static long generations, told;
static int parts;
static pthread_barrier_t barrier;

static unsigned alive(atomic_uint *cell) {
    return atomic_load_explicit(cell, memory_order_relaxed);
}

static unsigned long row(atomic_uint (*from)[WIDTH], atomic_uint *to, int y) {
    atomic_uint *above = from[(y + HEIGHT - 1) % HEIGHT], *here = from[y], *below = from[(y + 1) % HEIGHT];
    unsigned long sum = 0;
    unsigned left = alive(&above[WIDTH - 1]) + alive(&here[WIDTH - 1]) + alive(&below[WIDTH - 1]);
    unsigned middle = alive(&above[0]) + alive(&here[0]) + alive(&below[0]);
    for (int x = 0; x < WIDTH; x++) {
        int next = (x + 1) % WIDTH;
        unsigned right = alive(&above[next]) + alive(&here[next]) + alive(&below[next]);
        unsigned was = alive(&here[x]), near = left + middle + right - was;
        unsigned becomes = near == 3 || (near == 2 && was);
        atomic_store_explicit(&to[x], becomes, memory_order_relaxed);
        sum += becomes;
        left = middle, middle = right;
    }
    return sum;
}

static unsigned long work(int me) {
    unsigned long sum = 0;
    for (long generation = 0; generation < generations; generation++) {
        for (int y = HEIGHT / parts * me; y < HEIGHT / parts * (me + 1); y++)
            sum += row(boards[generation & 1], boards[~generation & 1][y], y);
        if (SEEDED) told++;
        pthread_barrier_wait(&barrier);
    }
    return sum;
}

int main(int count, char **arguments) {
    generations = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    unsigned state = 3;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) boards[0][y][x] = next_number(&state) % 3 == 0;
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
