// A signalfd with another signal orders nothing.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int descriptor;

__attribute__((constructor)) static void prepare(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(sigprocmask(SIG_BLOCK, &set, 0) == 0);
    descriptor = signalfd(-1, &set, 0);
    sigaddset(&set, SIGUSR2);
    CHECK(descriptor >= 0 && sigprocmask(SIG_BLOCK, &set, 0) == 0);
}

static void first(void) {
    shared = 1;
    CHECK(kill(getpid(), SIGUSR2) == 0);
}

static void second(void) {
    CHECK(kill(getpid(), SIGUSR1) == 0);
    struct pollfd poll_for = {descriptor, POLLIN, 0};
    CHECK(poll(&poll_for, 1, 0) == 1 && poll_for.revents == POLLIN);
    shared = 2;
}
