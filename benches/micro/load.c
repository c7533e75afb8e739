// Loads of words that the thread has loaded in this epoch already.
// ARGS: 20000000
// QUICK: 3333333
// SMOKE: 1000
// THREADS: 2 1
#include "micro.h"

static unsigned long words[64];

static unsigned long events(int me, long count) {
    unsigned long sum = (unsigned long)me;
    for (long i = 0; i < count; i++) sum += *HIDDEN(&words[i % 64]);
    return sum;
}
