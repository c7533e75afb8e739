// A signal that is masked while its thread uses the variable.
#include <pthread.h>
#include <signal.h>

#include "invisible.h"

volatile int value;
static int step;

static void handler(int number) {
    (void)number;
    value++;
}
static void *work(void *unused) {
    invisible_wait(&step, 1);
    invisible_signal(&step);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    raise(SIGUSR1);
    value++;
    invisible_signal(&step);
    invisible_wait(&step, 2);
    value++;
    pthread_sigmask(SIG_SETMASK, &before, 0);
    pthread_join(thread, 0);
    return value != 3
        ;
}
