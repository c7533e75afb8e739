// Integers: threads scale, shift and histogram their parts of one array, each into counts of its own.
// ARGS: 40
// QUICK: 10
// SMOKE: 1
// THREADS: 2
// SINGLE
#include "workload.h"

enum { SIZE = 1 << 20, BUCKETS = 256 };
static unsigned numbers[SIZE];
static unsigned counts[16][BUCKETS];
static long passes;
static int parts;

static unsigned long work(int me) {
    long from = me * (SIZE / parts), to = from + SIZE / parts;
    unsigned *own = counts[SEEDED ? 0 : me];
    for (long pass = 0; pass < passes; pass++) {
        for (long i = from; i < to; i++) numbers[i] = numbers[i] * 3 + (unsigned)pass;
        for (long i = from; i < to; i++) own[numbers[i] % BUCKETS]++;
    }
    unsigned long sum = 0;
    for (int i = 0; i < BUCKETS; i++) sum = sum * 31 + own[i];
    return sum;
}

int main(int count, char **arguments) {
    passes = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    unsigned state = 1;
    for (long i = 0; i < SIZE; i++) numbers[i] = next_number(&state) % 1000;
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
