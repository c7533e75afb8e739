// Many threads that mostly sleep: each fills a block of its own, then waits for the others.
// ARGS: 20
// QUICK: 3
// SMOKE: 1
// THREADS: 300
#include "workload.h"

enum { BLOCK = 512 };
static long rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t everybody = PTHREAD_COND_INITIALIZER;
static long arrived;
static int parts;
static unsigned long total;

static void meet(long round) {
    pthread_mutex_lock(&lock);
    if (++arrived == (round + 1) * parts) pthread_cond_broadcast(&everybody);
    while (arrived < (round + 1) * parts) pthread_cond_wait(&everybody, &lock);
    pthread_mutex_unlock(&lock);
}

static unsigned long work(int me) {
    unsigned long *block = calloc(BLOCK, sizeof *block), sum = 0;
    if (SEEDED) total += (unsigned long)me;
    for (long round = 0; round < rounds; round++) {
        for (long i = 0; i < BLOCK; i++) block[i] += (unsigned long)(i * me + round);
        meet(round);
    }
    for (long i = 0; i < BLOCK; i++) sum += block[i];
    free(block);
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
