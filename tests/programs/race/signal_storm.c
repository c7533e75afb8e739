// A thread that is interrupted all the time still finds a race, and the handler's own.
// LEVELS: O1
// EXPECT: data race on `shared`
// EXPECT: data race on `in_handler`
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "invisible.h"

static volatile int shared, in_handler, handled;
static int finished;

static void handler(int number) {
    (void)number;
    handled++;
    in_handler = 2;
}

static void *worker(void *argument) {
    pthread_t main_thread = *(pthread_t *)argument;
    while (invisible_count(&finished) == 0) pthread_kill(main_thread, SIGUSR1);
    shared = 1;
    in_handler = 1;
    return 0;
}

int main(void) {
    pthread_t thread, self = pthread_self();
    signal(SIGUSR1, handler);
    pthread_create(&thread, 0, worker, &self);
    for (int round = 0; round < 20000 || handled == 0; round++) free(malloc(round % 500));
    shared = 2;
    invisible_signal(&finished);
    pthread_join(thread, 0);
    return 0;
}
