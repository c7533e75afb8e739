// Threads that look up, each for itself, in a table of numbers in order, and in one of words; after each time they take a lock.
// ARGS: 400
// QUICK: 40
// SMOKE: 1
// THREADS: 4 16
#include "workload.h"
#include <pthread.h>

enum { ENTRIES = 2000 };
static int numbers[ENTRIES];
static long prices[ENTRIES];
static long rounds;
static unsigned long total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int place_of(int number) {
    int low = 0, high = ENTRIES;
    while (low < high) {
        int middle = (low + high) / 2;
        if (numbers[middle] < number) low = middle + 1;
        else high = middle;
    }
    return low;
}

static unsigned long work(int me) {
    if (SEEDED) prices[ENTRIES - 1] = me;
    unsigned long last = 0;
    for (long round = 0; round < rounds; round++) {
        last = 0;
        for (int i = 0; i < ENTRIES; i++) last += (unsigned long)prices[place_of(3 * (int)((i * 7919 + round) % (ENTRIES - 1)))];
        pthread_mutex_lock(&lock);
        total += last;
        pthread_mutex_unlock(&lock);
    }
    return last;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    for (int i = 0; i < ENTRIES; i++) {
        numbers[i] = 3 * i;
        prices[i] = i * 5L % 97;
    }
    unsigned long sum = in_threads(threads_argument(count, arguments), work);
    printf("%lu %lu\n", sum, total);
}
