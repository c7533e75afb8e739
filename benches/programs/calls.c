// Two threads recurse: mostly calls, with a few stores into their own heap memory.
// ARGS: 34
// QUICK: 31
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int depth;

__attribute__((noinline)) static void leaf(long *where, int n) {
    where[n & 7] += n;
}

__attribute__((noinline)) static long walk(long *where, int n) {
    leaf(where, n);
    return n < 2 ? n : walk(where, n - 1) + walk(where, n - 2);
}

static void *work(void *unused) {
    (void)unused;
    long *where = calloc(8, sizeof *where);
    long result = walk(where, depth);
    for (int i = 0; i < 8; i++) result += where[i];
    free(where);
    return (void *)result;
}

int main(int count, char **arguments) {
    depth = count > 1 ? atoi(arguments[1]) : 10;
    pthread_t threads[2];
    long sum = 0;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++) {
        void *part;
        pthread_join(threads[i], &part);
        sum += (long)part;
    }
    printf("%ld\n", sum);
}
