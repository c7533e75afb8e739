// The old ways to install a handler: it comes after what came before the signal, and the program is told what it said before.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <pthread.h>
#include <signal.h>

#include "check.h"
#include "invisible.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

extern __sighandler_t __sysv_signal(int, __sighandler_t);

static volatile int shared;
static int handled;
static pthread_t main_thread;

static void handler(int number) {
    shared = -number;
    invisible_signal(&handled);
}

static void *send(void *rounds) {
    shared = 1;
    CHECK(pthread_kill(main_thread, SIGUSR1) == 0);
    invisible_wait(&handled, *(int *)rounds);
    return 0;
}

static void take(int rounds) {
    pthread_t thread;
    pthread_create(&thread, 0, send, &rounds);
    invisible_wait(&handled, rounds);
    pthread_join(thread, 0);
}

int main(void) {
    main_thread = pthread_self();
    CHECK(sigset(SIGUSR1, handler) == SIG_DFL);
    take(1);
    CHECK(sigset(SIGUSR1, handler) == handler);
    // Held back, it is what is there; let through, it is told that it was held back.
    CHECK(sigset(SIGUSR1, SIG_HOLD) == handler);
    CHECK(sigset(SIGUSR1, SIG_HOLD) == SIG_HOLD);
    CHECK(sigset(SIGUSR1, handler) == SIG_HOLD);
    take(2);
    CHECK(sysv_signal(SIGUSR1, handler) == handler);
    take(3);
    CHECK(__sysv_signal(SIGUSR1, handler) == SIG_DFL);
    take(4);
    CHECK(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    CHECK(sigset(SIGUSR1, SIG_DFL) == SIG_IGN);
    CHECK(sigset(SIGKILL, handler) == SIG_ERR);
    return 0;
}
