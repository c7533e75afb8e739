// A thread is interrupted all the time, in and out of the runtime: nothing is lost, nothing hangs, nothing is invented.
// LEVELS: O1
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "invisible.h"

static volatile int handled, guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void handler(int number) {
    (void)number;
    handled++;
}

static void *worker(void *argument) {
    pthread_t main_thread = *(pthread_t *)argument;
    while (invisible_count(&finished) == 0) {
        pthread_kill(main_thread, SIGUSR1);
        pthread_mutex_lock(&mutex);
        guarded++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t thread, self = pthread_self();
    signal(SIGUSR1, handler);
    pthread_create(&thread, 0, worker, &self);
    for (int round = 0; round < 20000 || handled == 0; round++) {
        char *block = malloc(1 + round % 500);
        memset(block, round, 1 + round % 500);
        pthread_mutex_lock(&mutex);
        guarded++;
        pthread_mutex_unlock(&mutex);
        free(block);
    }
    invisible_signal(&finished);
    pthread_join(thread, 0);
    return 0;
}
