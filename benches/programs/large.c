// Much memory, touched once or a few times: threads fill their parts of it and add up those of their neighbours.
// ARGS: 400
// QUICK: 50
// SMOKE: 1
// THREADS: 2
// SINGLE
#include "workload.h"

static long megabytes;
static int parts;
static unsigned long *words;
static pthread_barrier_t barrier;

static unsigned long work(int me) {
    long size = megabytes << 17, share = size / parts, sum = 0;
    unsigned long *own = words + me * share, *next = words + (me + 1) % parts * share;
    for (long i = 0; i < share; i++) own[i] = (unsigned long)(i ^ me);
    if (!SEEDED && parts > 1) pthread_barrier_wait(&barrier);
    for (long i = 0; i < share; i++) sum += (long)next[i];
    return (unsigned long)sum;
}

int main(int count, char **arguments) {
    megabytes = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    words = malloc((size_t)megabytes << 20);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
    free(words);
}
