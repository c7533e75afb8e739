// The next generation of a barrier, with other threads, is not ordered after an earlier one.
#include <pthread.h>

#include "invisible.h"

// A barrier for two, used by 2 pairs of threads, one pair after the other.
enum { PAIRS = 2 };

static pthread_barrier_t barrier;
static volatile int shared;
static int left;

static void *use(void *argument) {
    int number = *(int *)argument;
    invisible_wait(&left, number / 2 * 2);
    if (number == 0) shared = 1;
    pthread_barrier_wait(&barrier);
    if (number == 2 * PAIRS - 1) shared = 2;
    invisible_signal(&left);
    return 0;
}

int main(void) {
    static int numbers[2 * PAIRS];
    pthread_t threads[2 * PAIRS];
    pthread_barrier_init(&barrier, 0, 2);
    for (int i = 0; i < 2 * PAIRS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, use, &numbers[i]);
    }
    for (int i = 0; i < 2 * PAIRS; i++) pthread_join(threads[i], 0);
    return 0;
}
