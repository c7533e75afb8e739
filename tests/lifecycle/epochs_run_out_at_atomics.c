// Ids of sync epochs run out while threads make atomic operations that wait for each other inside of the runtime: the program goes on, whether detection has ended by then
// (which depends on how often the threads come in between each other) or not.
// LEVELS: O1
// RUNS: 5
// OPTIONS: epoch_groups=2048:exitcode_incomplete=0
// RUN-EXIT: 0
// EXPECT: \A
// STDOUT: ^6400000$
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, EACH = 1600000 };
static atomic_long counts[2];
static long *written[THREADS];

static void *work(void *own) {
    long *mine = own;
    for (long i = 0; i < EACH; i++) {
        // Some of this is remembered as long as the block is there, so that each sweep finds less.
        mine[i % 8 ? 0 : i] = i;
        atomic_fetch_add_explicit(&counts[i & 1], 1, memory_order_acq_rel);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) written[i] = malloc(EACH * sizeof(long));
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, written[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    printf("%ld\n", atomic_load(&counts[0]) + atomic_load(&counts[1]));
    return 0;
}
