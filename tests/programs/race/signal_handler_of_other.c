// A handler that runs on whichever thread is interrupted uses what another thread uses.
// EXPECT: data race on `value`
#include <pthread.h>
#include <signal.h>

#include "invisible.h"

volatile int value, other;
static int step;

static void handler(int number) {
    (void)number;
    value++;
}

static void *work(void *unused) {
    value++;
    invisible_signal(&step);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&step, 1);
    raise(SIGUSR1);
    value++;
    pthread_join(thread, 0);
    return 0;
}
