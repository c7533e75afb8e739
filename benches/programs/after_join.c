// A short time with threads, and then a long one without: the rest of the work is the main thread's, when all others are joined.
// ARGS: 60
// QUICK: 15
// SMOKE: 1
// THREADS: 2
#include "workload.h"

enum { SIZE = 1 << 19 };
static unsigned long words[SIZE];

static unsigned long work(int me) {
    for (int i = me; i < SIZE; i += 2) words[SEEDED ? i / 2 : i] = (unsigned long)i * 7;
    return 0;
}

int main(int count, char **arguments) {
    long passes = size_argument(count, arguments);
    unsigned long sum = in_threads(threads_argument(count, arguments), work);
    for (long pass = 0; pass < passes; pass++)
        for (int i = 1; i < SIZE; i++) {
            words[i] ^= words[i - 1] >> 3;
            sum += words[(i * 17) % SIZE];
        }
    printf("%lx\n", sum);
}
