// Threads sort their parts of an array by quicksort; then the parts are merged.
// ARGS: 2000000
// QUICK: 300000
// SMOKE: 1000
// THREADS: 2
// SINGLE
#include "workload.h"

static long size;
static int parts;
static long *numbers;

static void sort(long *from, long *to) {
    while (to - from > 12) {
        long pivot = from[(to - from) / 2], *low = from, *high = to - 1;
        while (low <= high) {
            while (*low < pivot) low++;
            while (*high > pivot) high--;
            if (low <= high) {
                long other = *low;
                *low++ = *high;
                *high-- = other;
            }
        }
        sort(from, high + 1);
        from = low;
    }
    for (long *at = from + 1; at < to; at++) {
        long number = *at, *hole = at;
        for (; hole > from && hole[-1] > number; hole--) *hole = hole[-1];
        *hole = number;
    }
}

static long *start(int part) {
    return numbers + part * size / parts;
}

static unsigned long work(int me) {
    sort(start(me), start(me + 1));
    // Seeded: looks at a part that another thread may be sorting still.
    return SEEDED ? (unsigned long)*start((me + 1) % parts) : 0;
}

int main(int count, char **arguments) {
    size = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    numbers = malloc((size_t)size * sizeof *numbers);
    unsigned state = 7;
    for (long i = 0; i < size; i++) numbers[i] = (long)next_number(&state);
    in_threads(threads_argument(count, arguments), work);
    unsigned long sum = 0;
    long *heads[16];
    for (int part = 0; part < parts; part++) heads[part] = start(part);
    for (long i = 0; i < size; i++) {
        int least = -1;
        for (int part = 0; part < parts; part++)
            if (heads[part] < start(part + 1) && (least < 0 || *heads[part] < *heads[least])) least = part;
        sum = sum * 31 + (unsigned long)*heads[least]++;
    }
    printf("%lx\n", sum);
    free(numbers);
}
