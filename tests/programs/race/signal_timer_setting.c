// The signal of a timer is not ordered with what comes after the setting.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done, written;
static timer_t timer;

static void handler(int signal) {
    invisible_wait(&written, 1);
    shared = signal;
    invisible_signal(&done);
}

static void *work(void *unused) {
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    CHECK(timer_settime(timer, 0, &soon, 0) == 0);
    shared = 1;
    invisible_signal(&written);
    invisible_wait(&done, 1);
    return unused;
}

int main(void) {
    signal(SIGUSR1, handler);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    // Only the main thread takes the signal.
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    invisible_wait(&done, 1);
    pthread_join(thread, 0);
    return 0;
}
