// Threads recurse: mostly calls, with a few stores into their own heap memory.
// ARGS: 34
// QUICK: 30
// SMOKE: 5
// THREADS: 2
// SINGLE
#include "workload.h"

static long depth;
static long seeded[8];

__attribute__((noinline)) static void leaf(long *where, int n) {
    where[n & 7] += n;
}

__attribute__((noinline)) static long walk(long *where, int n) {
    leaf(where, n);
    return n < 2 ? n : walk(where, n - 1) + walk(where, n - 2);
}

static unsigned long work(int me) {
    long *where = SEEDED ? seeded : calloc(8, sizeof *where);
    long result = me + walk(where, (int)depth);
    for (int i = 0; i < 8; i++) result += where[i];
    if (!SEEDED) free(where);
    return (unsigned long)result;
}

int main(int count, char **arguments) {
    depth = size_argument(count, arguments);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
