// The bytes of each word belong to different threads: what they write is never the same byte, but always the same word.
// ARGS: 15000
// QUICK: 2000
// SMOKE: 2
// THREADS: 4
#include "workload.h"

enum { WORDS = 1 << 10, PER_WORD = 8 };
static unsigned char bytes[WORDS][PER_WORD];
static long rounds;
static pthread_mutex_t locks[16];

static unsigned long work(int me) {
    unsigned long sum = 0;
    for (long round = 0; round < rounds; round++) {
        // A lock of its own, so that every round is another epoch.
        pthread_mutex_lock(&locks[me]);
        for (int i = 0; i < WORDS; i++) bytes[i][me] = (unsigned char)(bytes[i][me] * 5 + i);
        for (int i = 0; i < WORDS; i++) sum += bytes[i][SEEDED ? 0 : me];
        pthread_mutex_unlock(&locks[me]);
    }
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    for (int i = 0; i < 16; i++) pthread_mutex_init(&locks[i], 0);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
