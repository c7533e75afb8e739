// Sums of what has another label, in phases: all threads go through the same characters, and most of the numbers of four bytes beside them; then each changes some labels of its part.
// ARGS: 60
// QUICK: 12
// SMOKE: 2
// THREADS: 4 16
#include "workload.h"

enum { ENTRIES = 40000, LABELS = 8, CHANGED = 64 };
static int numbers[ENTRIES];
static unsigned char labels[ENTRIES];
static long phases;
static int parts;
static pthread_barrier_t barrier;

static unsigned long work(int me) {
    unsigned state = (unsigned)me + 1;
    unsigned long sum = 0;
    int first = ENTRIES / parts * me, count = ENTRIES / parts;
    for (long phase = 0; phase < phases; phase++) {
        for (int label = me % LABELS; label < LABELS; label += parts)
            for (int entry = 0; entry < ENTRIES; entry++)
                if (labels[entry] != label) sum += (unsigned long)numbers[entry];
        if (!SEEDED) pthread_barrier_wait(&barrier);
        for (int change = 0; change < CHANGED; change++) labels[first + (int)(next_number(&state) % (unsigned)count)] = (unsigned char)(next_number(&state) % LABELS);
        pthread_barrier_wait(&barrier);
    }
    return sum;
}

int main(int count, char **arguments) {
    phases = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    unsigned state = 1;
    for (int entry = 0; entry < ENTRIES; entry++) {
        numbers[entry] = (int)(next_number(&state) % 1000);
        labels[entry] = (unsigned char)(next_number(&state) % LABELS);
    }
    pthread_barrier_init(&barrier, 0, (unsigned)parts);
    printf("%lx\n", in_threads(threads_argument(count, arguments), work));
}
