// Settings that are written before the threads start and read by all of them in every short critical section on a lock of their own.
// ARGS: 800000
// QUICK: 100000
// SMOKE: 100
// THREADS: 4
#include "workload.h"

enum { SETTINGS = 48 };
static struct {
    int level;
    unsigned limits[SETTINGS];
} settings;
static struct {
    _Alignas(64) pthread_mutex_t lock;
    unsigned long total;
} accounts[16];
static long rounds;

static unsigned long work(int me) {
    unsigned state = (unsigned)me;
    for (long i = 0; i < rounds; i++) {
        unsigned which = next_number(&state) % SETTINGS;
        pthread_mutex_lock(&accounts[me].lock);
        if (settings.level > 2) accounts[me].total += settings.limits[which];
        if (settings.level > 3) accounts[me].total -= settings.limits[(which + 7) % SETTINGS];
        pthread_mutex_unlock(&accounts[me].lock);
        if (SEEDED && i == 10) settings.limits[which] = which;
    }
    return accounts[me].total;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    settings.level = 4;
    for (unsigned i = 0; i < SETTINGS; i++) settings.limits[i] = i * i;
    for (int i = 0; i < 16; i++) pthread_mutex_init(&accounts[i].lock, 0);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
