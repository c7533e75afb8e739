// One mutex with a short critical section, wanted by all threads all the time.
// ARGS: 2000000
// QUICK: 300000
// SMOKE: 100
// THREADS: 2
// LONG
#include "workload.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counter, rounds;

static unsigned long work(int me) {
    if (SEEDED) counter = me;
    for (long i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    in_threads(threads_argument(count, arguments), work);
    printf("%ld\n", counter);
}
