// Stores to words to which the thread has stored in this epoch already.
// ARGS: 20000000
// QUICK: 3333333
// SMOKE: 1000
// THREADS: 2 1
#include "micro.h"

static unsigned long words[1024][64];

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) *HIDDEN(&words[me][i % 64]) = (unsigned long)i;
    return words[me][0];
}
