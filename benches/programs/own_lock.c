// A lock of the program's own, made of an atomic flag, is wanted by all threads all the time; under it they count in a table.
// ARGS: 1000000
// QUICK: 150000
// SMOKE: 100
// THREADS: 2
#include "workload.h"
#include <stdatomic.h>

enum { ENTRIES = 256, AT_ONCE = 8 };
static atomic_int taken;
static unsigned long table[ENTRIES];
static long rounds;

static void lock(void) {
    for (;;) {
        while (atomic_load_explicit(&taken, memory_order_relaxed));
        if (!atomic_exchange_explicit(&taken, 1, memory_order_acquire)) return;
    }
}

static void unlock(void) {
    atomic_store_explicit(&taken, 0, memory_order_release);
}

static unsigned long work(int me) {
    unsigned state = 1 + (unsigned)me;
    // Seeded: looks at the table before it has the lock.
    unsigned long sum = 0;
    for (int at = 0; SEEDED && at < ENTRIES; at++) sum += table[at];
    for (long i = 0; i < rounds; i++) {
        unsigned first = next_number(&state);
        lock();
        for (unsigned at = 0; at < AT_ONCE; at++) table[(first + at) % ENTRIES] += at;
        unlock();
    }
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    unsigned long sum = in_threads(threads_argument(count, arguments), work);
    for (int at = 0; at < ENTRIES; at++) sum = sum * 31 + table[at];
    printf("%lx\n", sum);
}
