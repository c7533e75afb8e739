// Elements of a dense range of integers, of which 1024 are added up at a time.
// ARGS: 80000000
// QUICK: 13333333
// SMOKE: 4096
// THREADS: 2 1
#include "micro.h"

static int numbers[1024];

static unsigned long events(int me, long count) {
    unsigned sum = (unsigned)me;
    for (long done = 0; done < count; done += 1024) {
        const int *from = HIDDEN(numbers);
        for (long i = 0; i < 1024; i++) sum += (unsigned)from[i];
    }
    return sum;
}
