// Threads are created and joined, four at a time; each does a little work.
// ARGS: 3000
// QUICK: 300
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long results[4];

static void *work(void *number) {
    long me = (long)number, local[64];
    for (int i = 0; i < 64; i++) local[i] = i * me;
    for (int i = 0; i < 64; i++) results[me] += local[i];
    return 0;
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 1;
    for (int round = 0; round < rounds; round++) {
        pthread_t threads[4];
        for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void *)i);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    }
    printf("%ld\n", results[0] + results[1] + results[2] + results[3]);
}
