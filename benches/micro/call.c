// Calls of a function with a single store.
// ARGS: 12000000
// QUICK: 2000000
// SMOKE: 100
// THREADS: 2 1
#include "micro.h"

static long words[2][64];

__attribute__((noinline)) static void leaf(long *word, long number) {
    *word = number;
}

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) leaf(&words[me][i & 1], i);
    return (unsigned long)words[me][0];
}
