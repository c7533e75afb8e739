// A hash table with open addressing, all of it under one lock.
// ARGS: 1000000
// QUICK: 150000
// SMOKE: 100
// THREADS: 2
// LONG
#include "workload.h"

enum { SLOTS = 1 << 16 };
static struct {
    unsigned key;
    unsigned long value;
} table[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static void add(unsigned key, unsigned long value) {
    unsigned slot = key * 2654435761u >> 16;
    while (table[slot].key && table[slot].key != key) slot = (slot + 1) % SLOTS;
    table[slot].key = key;
    table[slot].value += value;
}

static unsigned long work(int me) {
    unsigned state = (unsigned)me;
    if (SEEDED) add(1, 1);
    for (long i = 0; i < rounds; i++) {
        unsigned key = 1 + next_number(&state) % 20000;
        pthread_mutex_lock(&lock);
        add(key, (unsigned long)i);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    in_threads(threads_argument(count, arguments), work);
    unsigned long sum = 0;
    for (int i = 0; i < SLOTS; i++) sum += table[i].key * table[i].value;
    printf("%lx\n", sum);
}
