// A table under a rwlock: nearly all look up, each thread changes its own entries now and then.
// ARGS: 1000000
// QUICK: 150000
// SMOKE: 200
// THREADS: 4
// LONG
#include "workload.h"

enum { ENTRIES = 1024 };
static struct {
    unsigned key, changes;
} table[ENTRIES];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long rounds;
static int parts;

static unsigned long work(int me) {
    unsigned state = (unsigned)me + 3;
    unsigned long sum = 0;
    if (SEEDED) table[0].changes = (unsigned)me;
    for (long i = 0; i < rounds; i++) {
        if (i % 128 == 0) {
            pthread_rwlock_wrlock(&lock);
            table[(i / 128 * parts + me) % ENTRIES].changes++;
            pthread_rwlock_unlock(&lock);
            continue;
        }
        pthread_rwlock_rdlock(&lock);
        unsigned at = next_number(&state) % ENTRIES;
        for (int step = 0; step < 4; step++) {
            at = table[at].key % ENTRIES;
            sum += at;
        }
        pthread_rwlock_unlock(&lock);
    }
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    unsigned state = 5;
    for (int i = 0; i < ENTRIES; i++) table[i].key = next_number(&state);
    unsigned long sum = in_threads(threads_argument(count, arguments), work);
    for (int i = 0; i < ENTRIES; i++) sum += table[i].changes;
    printf("%lu\n", sum);
}
