// A thousand threads at once, each under the lock and each with memory of its own.
// LEVELS: O1
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 1000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_are_here;
static long shared;

static void *work(void *unused) {
    pthread_barrier_wait(&all_are_here);
    for (int i = 0; i < 10; i++) {
        long *own = malloc(sizeof *own);
        *own = 1;
        pthread_mutex_lock(&lock);
        shared += *own;
        pthread_mutex_unlock(&lock);
        free(own);
    }
    return unused;
}

int main(void) {
    static pthread_t threads[THREADS];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 * 1024);
    pthread_barrier_init(&all_are_here, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &small, work, 0)) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    return shared == 10 * THREADS ? 0 : 1;
}
