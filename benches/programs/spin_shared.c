// A spin lock of pthreads is wanted by all threads all the time; under it they count in a table.
// ARGS: 1000000
// QUICK: 150000
// SMOKE: 100
// THREADS: 2
#include "workload.h"

enum { ENTRIES = 256, AT_ONCE = 8 };
static pthread_spinlock_t spin;
static unsigned long table[ENTRIES];
static long rounds;

static unsigned long work(int me) {
    unsigned state = 1 + (unsigned)me;
    // Seeded: looks at the table before it has the lock.
    unsigned long sum = 0;
    for (int at = 0; SEEDED && at < ENTRIES; at++) sum += table[at];
    for (long i = 0; i < rounds; i++) {
        unsigned first = next_number(&state);
        pthread_spin_lock(&spin);
        for (unsigned at = 0; at < AT_ONCE; at++) table[(first + at) % ENTRIES] += at;
        pthread_spin_unlock(&spin);
    }
    return sum;
}

int main(int count, char **arguments) {
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    rounds = size_argument(count, arguments);
    unsigned long sum = in_threads(threads_argument(count, arguments), work);
    for (int at = 0; at < ENTRIES; at++) sum = sum * 31 + table[at];
    printf("%lx\n", sum);
}
