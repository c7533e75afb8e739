// Two threads and one mutex with a short critical section.
// ARGS: 2000000
// QUICK: 600000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counter, rounds;

static void *work(void *unused) {
    for (long i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(int count, char **arguments) {
    rounds = count > 1 ? atol(arguments[1]) : 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    printf("%ld\n", counter);
}
