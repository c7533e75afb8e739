// Each thread has a mutex that nobody else uses, and a short critical section.
// ARGS: 5000000
// QUICK: 600000
// SMOKE: 100
// THREADS: 2
// SINGLE
// LONG
#include "workload.h"

static struct {
    _Alignas(64) pthread_mutex_t lock;
    long counter;
} own[16];
static long rounds;

static unsigned long work(int me) {
    if (SEEDED) own[0].counter++;
    for (long i = 0; i < rounds; i++) {
        pthread_mutex_lock(&own[me].lock);
        own[me].counter += i & 1;
        pthread_mutex_unlock(&own[me].lock);
    }
    return (unsigned long)own[me].counter;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    for (int i = 0; i < 16; i++) pthread_mutex_init(&own[i].lock, 0);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
