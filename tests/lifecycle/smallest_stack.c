// Threads with the smallest stack that there is: what the runtime does on the program's stack fits in it.
// LEVELS: O0 O1
// FLAGS: -D_GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 1000, LOCKS = 64 };
static pthread_mutex_t locks[LOCKS];
static long shared[LOCKS];

static void *work(void *number) {
    for (long i = 0; i < 40; i++) {
        long at = ((long)number + i) % LOCKS;
        pthread_mutex_lock(&locks[at]);
        shared[at]++;
        pthread_mutex_unlock(&locks[at]);
        // Objects that come and go.
        pthread_mutex_t *own = malloc(sizeof *own);
        pthread_mutex_init(own, 0);
        pthread_mutex_lock(own);
        pthread_mutex_unlock(own);
        pthread_mutex_destroy(own);
        free(own);
    }
    return number;
}

int main(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    if (pthread_attr_setstacksize(&small, (size_t)sysconf(_SC_THREAD_STACK_MIN))) return 2;
    for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&locks[i], 0);
    for (long i = 0; i < THREADS; i += 4) {
        pthread_t threads[4];
        for (long j = 0; j < 4; j++)
            if (pthread_create(&threads[j], &small, work, (void *)(i + j))) return 3;
        for (long j = 0; j < 4; j++) pthread_join(threads[j], 0);
    }
    long sum = 0;
    for (int i = 0; i < LOCKS; i++) sum += shared[i];
    return sum == THREADS * 40L ? 0 : 4;
}
