// malloc and free of 64 bytes, with a store to them.
// ARGS: 3000000
// QUICK: 500000
// SMOKE: 1024
// THREADS: 2 1 16
#include "micro.h"

static unsigned long events(int me, long count) {
    for (long i = 0; i < count; i++) {
        long *block = HIDDEN(malloc(64));
        *block = i;
        free(block);
    }
    return (unsigned long)me;
}
