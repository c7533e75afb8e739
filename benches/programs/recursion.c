// Merge sort: numbers are divided in halves down to single ones, so that there are as many stacks as calls. Each thread sorts a part.
// ARGS: 2000000
// QUICK: 500000
// SMOKE: 2000
// THREADS: 2
// SINGLE
#include "workload.h"
#include <string.h>

static long length;
static unsigned long calls;

static void sort(int *numbers, int *other, long count) {
    if (SEEDED) calls++;
    if (count < 2) return;
    long half = count / 2, left = 0, right = half, next = 0;
    sort(numbers, other, half);
    sort(numbers + half, other, count - half);
    while (left < half && right < count) other[next++] = numbers[left] <= numbers[right] ? numbers[left++] : numbers[right++];
    while (left < half) other[next++] = numbers[left++];
    while (right < count) other[next++] = numbers[right++];
    memcpy(numbers, other, (size_t)count * sizeof *numbers);
}

static int *numbers, *other;

static unsigned long work(int me) {
    int *mine = numbers + me * length;
    sort(mine, other + me * length, length);
    unsigned long sum = 0;
    for (long i = 0; i < length; i += 1000) sum = sum * 31 + (unsigned long)mine[i];
    return sum;
}

int main(int count, char **arguments) {
    length = size_argument(count, arguments);
    int threads = threads_argument(count, arguments);
    size_t all = (size_t)length * (size_t)parts_of(threads);
    numbers = malloc(all * sizeof *numbers);
    other = malloc(all * sizeof *other);
    unsigned state = 1;
    for (size_t i = 0; i < all; i++) numbers[i] = (int)next_number(&state);
    printf("%lu\n", in_threads(threads, work));
    free(numbers);
    free(other);
}
