// A thread makes a child that ends by itself, and another one takes its signal: in a handler, by waiting for it or by a descriptor. What the first one has done before
// it made the child comes before that; what it does afterwards (`RACE`) does not.
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "invisible.h"

enum { HANDLER, WAIT, DESCRIPTOR };

static volatile int shared[3];
static volatile int *now;
static int turn, handled;

static void handle(int signal) {
    *now += signal;
    invisible_signal(&handled);
}

static void *make(void *argument) {
    volatile int *mine = argument;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    // The other thread gets it.
    CHECK(pthread_sigmask(SIG_BLOCK, &child, 0) == 0);
    invisible_wait(&turn, 2 * (mine - shared) + 1);
    *mine = 1;
    pid_t made = fork();
    if (!made) {
        usleep(50000);
        _exit(0);
    }
#ifdef RACE
    *mine = 2;
#endif
    invisible_signal(&turn);
    return 0;
}

static void take(int how) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (how == WAIT) {
        siginfo_t info;
        CHECK(sigwaitinfo(&child, &info) == SIGCHLD);
    }
    if (how == DESCRIPTOR) {
        int signals = signalfd(-1, &child, 0);
        struct signalfd_siginfo info;
        CHECK(read(signals, &info, sizeof info) == sizeof info);
        close(signals);
    }
    if (how == HANDLER) {
        CHECK(pthread_sigmask(SIG_UNBLOCK, &child, 0) == 0);
        invisible_wait(&handled, 1);
        CHECK(pthread_sigmask(SIG_BLOCK, &child, 0) == 0);
    } else {
        *now += 1;
    }
}

int main(void) {
    pthread_t threads[3];
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGCHLD, &action, 0) == 0);
    CHECK(pthread_sigmask(SIG_BLOCK, &child, 0) == 0);
    for (int how = 0; how < 3; how++) CHECK(pthread_create(&threads[how], 0, make, (void *)&shared[how]) == 0);
    for (int how = 0; how < 3; how++) {
        now = &shared[how];
        invisible_signal(&turn);
        invisible_wait(&turn, 2 * how + 2);
        take(how);
    }
    for (int how = 0; how < 3; how++) CHECK(pthread_join(threads[how], 0) == 0);
    while (wait(0) > 0) {
    }
    return 0;
}
