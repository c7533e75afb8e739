// Bytes of words that belong to different threads, as in false_sharing, with rounds that are told: each thread says by an atomic of its own how far it is, for whoever asks.
// ARGS: 5000
// QUICK: 700
// SMOKE: 2
// THREADS: 4
#include "workload.h"
#include <stdatomic.h>

enum { WORDS = 1 << 10, PER_WORD = 8 };
static unsigned char bytes[WORDS][PER_WORD];
static long rounds;
static struct {
    _Alignas(64) atomic_long rounds;
} done[16];

static unsigned long work(int me) {
    unsigned long sum = 0;
    for (long round = 0; round < rounds; round++) {
        for (int i = 0; i < WORDS; i++) bytes[i][me] = (unsigned char)(bytes[i][me] * 5 + i);
        for (int i = 0; i < WORDS; i++) sum += bytes[i][SEEDED ? 0 : me];
        atomic_store_explicit(&done[me].rounds, round, memory_order_release);
    }
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
