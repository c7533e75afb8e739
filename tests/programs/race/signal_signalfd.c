// A signalfd orders nothing with who sent another signal.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
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
    sigaddset(&set, SIGUSR2);
    CHECK(sigprocmask(SIG_BLOCK, &set, 0) == 0);
    descriptor = signalfd(-1, &set, 0);
    CHECK(descriptor >= 0);
}

static void first(void) {
    shared = 1;
    CHECK(kill(getpid(), SIGUSR2) == 0);
}

static void second(void) {
    struct signalfd_siginfo info;
    CHECK(kill(getpid(), SIGUSR1) == 0);
    CHECK(read(descriptor, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR1);
    shared = 2;
}
