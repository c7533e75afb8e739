// Two threads, each with a mutex that nobody else uses.
// ARGS: 5000000
// QUICK: 1500000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    _Alignas(64) pthread_mutex_t lock;
    long counter;
} own[2];
static long rounds;

static void *work(void *number) {
    long me = (long)number;
    for (long i = 0; i < rounds; i++) {
        pthread_mutex_lock(&own[me].lock);
        own[me].counter += i & 1;
        pthread_mutex_unlock(&own[me].lock);
    }
    return 0;
}

int main(int count, char **arguments) {
    rounds = count > 1 ? atol(arguments[1]) : 1;
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) {
        pthread_mutex_init(&own[i].lock, 0);
        pthread_create(&threads[i], 0, work, (void *)i);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    printf("%ld\n", own[0].counter + own[1].counter);
}
