// Threads take large blocks from the heap, fill and read them, and give them back.
// ARGS: 100
// QUICK: 20
// SMOKE: 2
// THREADS: 2
// SINGLE
#include "workload.h"
#include <string.h>

static long rounds;
static unsigned char *seeded;

static unsigned long work(int me) {
    unsigned state = (unsigned)me + 5;
    unsigned long sum = 0;
    for (long round = 0; round < rounds; round++) {
        size_t size = (1u << 20) + next_number(&state) % (3u << 20);
        unsigned char *block = malloc(size);
        memset(block, me + 1, size);
        for (size_t i = 0; i < size; i += 64) sum += block[i];
        if (SEEDED && round == 0) seeded = block;
        free(block);
    }
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
    return seeded == (void *)arguments;
}
