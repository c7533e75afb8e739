// What comes after sigqueue may meet the handler.
// LEVELS: O1
// FLAGS: -D_GNU_SOURCE
// EXPECT: data race on `shared`
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static pthread_t main_thread;
static int written, handled;

static void handler(int number) {
    (void)number;
    invisible_wait(&written, 1);
    shared = 2;
    invisible_signal(&handled);
}

__attribute__((constructor)) static void prepare(void) {
    main_thread = pthread_self();
    CHECK(signal(SIGUSR1, handler) == SIG_DFL);
}

static void first(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    sigqueue(getpid(), SIGUSR1, (union sigval){0});
    shared = 1;
    invisible_signal(&written);
    invisible_wait(&handled, 1);
}

static void second(void) {
}
