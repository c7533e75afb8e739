// Two threads allocate, fill and free blocks of many sizes.
// ARGS: 2000000
// QUICK: 600000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 256 };
static long rounds;

static void *work(void *number) {
    char *kept[KEPT] = {0};
    unsigned state = (unsigned)(long)number + 1;
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
        state = state * 1664525 + 1013904223;
        size_t at = state >> 24, size = 1 + (state >> 12) % 300;
        if (kept[at]) sum += kept[at][0];
        free(kept[at]);
        kept[at] = malloc(size);
        kept[at][0] = (char)(size & 63);
        kept[at][size - 1] = 1;
    }
    for (int i = 0; i < KEPT; i++) free(kept[i]);
    return (void *)sum;
}

int main(int count, char **arguments) {
    rounds = count > 1 ? atol(arguments[1]) : 1;
    pthread_t threads[2];
    long sum = 0;
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) {
        void *part;
        pthread_join(threads[i], &part);
        sum += (long)part;
    }
    printf("%ld\n", sum);
}
