// What comes after pidfd_send_signal is not ordered before who takes the signal.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

// Its header wants another one that does not go with signal.h.
int pidfd_send_signal(int process, int signal, siginfo_t *info, unsigned int flags);

static volatile int shared;
static int process;

__attribute__((constructor)) static void prepare(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
    process = (int)syscall(SYS_pidfd_open, getpid(), 0);
    CHECK(process >= 0);
}

static void first(void) {
    CHECK(pidfd_send_signal(process, SIGUSR1, 0, 0) == 0);
    shared = 1;
}

static void second(void) {
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(sigwait(&set, &got) == 0 && got == SIGUSR1);
    shared = 2;
}
