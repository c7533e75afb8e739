// sigwaitinfo takes a signal, and comes after its sender.
// LEVELS: O1
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static sigset_t one, other;

__attribute__((constructor)) static void prepare(void) {
    sigset_t both;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigemptyset(&other);
    sigaddset(&other, SIGUSR2);
    both = one;
    sigaddset(&both, SIGUSR2);
    CHECK(sigprocmask(SIG_BLOCK, &both, 0) == 0);
}

static void first(void) {
    shared = 1;
    kill(getpid(), SIGUSR1);
}

static void second(void) {
    CHECK(sigwaitinfo(&one, 0) > 0);
    shared = 2;
}
