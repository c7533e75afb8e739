// All threads look at an atomic flag in their inner loops, which would tell them to stop.
// ARGS: 6000000
// QUICK: 1000000
// SMOKE: 1000
// THREADS: 4
#include "workload.h"
#include <stdatomic.h>

static atomic_int stop;
static unsigned long scratch[16][64];
static long rounds;

static unsigned long work(int me) {
    unsigned state = (unsigned)me;
    long i = 0;
    for (; i < rounds && !atomic_load_explicit(&stop, memory_order_acquire); i++) {
        unsigned number = next_number(&state);
        scratch[SEEDED ? 0 : me][number % 64] += number;
    }
    unsigned long sum = 0;
    for (int k = 0; k < 64; k++) sum = sum * 31 + scratch[me][k];
    return sum + (unsigned long)i;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
    atomic_store_explicit(&stop, 1, memory_order_release);
}
