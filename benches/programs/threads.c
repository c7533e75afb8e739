// Threads are created and joined, four at a time; each does a little work.
// ARGS: 1500
// QUICK: 200
// SMOKE: 2
// THREADS: 4
// LONG
#include "workload.h"

static unsigned long results[64];

static unsigned long work(int me) {
    unsigned long local[64];
    for (int i = 0; i < 64; i++) local[i] = (unsigned long)(i * me);
    for (int i = 0; i < 64; i++) results[SEEDED ? 0 : me] += local[i];
    return results[SEEDED ? 0 : me];
}

int main(int count, char **arguments) {
    long rounds = size_argument(count, arguments);
    unsigned long sum = 0;
    for (long round = 0; round < rounds; round++) sum += in_threads(threads_argument(count, arguments), work);
    printf("%lu\n", sum);
}
