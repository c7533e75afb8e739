// Threads allocate, fill and free blocks of many sizes.
// ARGS: 2000000
// QUICK: 300000
// SMOKE: 100
// THREADS: 2
// SINGLE
// LONG
#include "workload.h"

enum { KEPT = 256 };
static long rounds;
static char *seeded[KEPT];

static unsigned long work(int me) {
    char *own[KEPT] = {0}, **kept = SEEDED ? seeded : own;
    unsigned state = (unsigned)me + 1;
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
        unsigned number = next_number(&state);
        size_t at = number >> 16, size = 1 + number % 300;
        if (SEEDED) at = at % (KEPT / 2) * 2 + (unsigned)(me & 1);
        if (kept[at]) sum += kept[at][0];
        free(kept[at]);
        kept[at] = malloc(size);
        kept[at][0] = (char)(size & 63);
        kept[at][size - 1] = 1;
    }
    // Seeded: also looks at those of the others.
    for (int i = 0; SEEDED && i < KEPT; i++) sum += kept[i] != 0;
    for (int i = 0; i < KEPT; i++) free(own[i]);
    return (unsigned long)sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
