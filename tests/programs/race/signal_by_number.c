// What comes after a signal is sent, or an alarm is set, by a system call's number may meet the handler.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// OPTIONS: report_once=0
// REPORTS: 6
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile long shared[6];
static int handled, written;

static void handler(int number) {
    int way = invisible_count(&handled);
    invisible_wait(&written, way + 1);
    shared[way] = number;
    invisible_signal(&handled);
}

__attribute__((constructor)) static void prepare(void) {
    CHECK(signal(SIGALRM, handler) == SIG_DFL);
}

// The main thread takes them, as nobody else lets them through.
static void first(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    struct itimerval soon = {{0, 0}, {0, 1000}};
    siginfo_t info = {.si_signo = SIGALRM, .si_code = SI_QUEUE};
    for (int way = 0; way < 6; way++) {
        switch (way) {
        case 0: CHECK(syscall(SYS_kill, getpid(), SIGALRM) == 0); break;
        case 1: CHECK(syscall(SYS_tkill, getpid(), SIGALRM) == 0); break;
        case 2: CHECK(syscall(SYS_tgkill, getpid(), getpid(), SIGALRM) == 0); break;
        case 3: CHECK(syscall(SYS_rt_sigqueueinfo, getpid(), SIGALRM, &info) == 0); break;
        case 4: CHECK(syscall(SYS_setitimer, ITIMER_REAL, &soon, 0) == 0); break;
        case 5: CHECK(setitimer(ITIMER_REAL, &soon, 0) == 0); break;
        }
        shared[way] = 1;
        invisible_signal(&written);
        invisible_wait(&handled, way + 1);
    }
}

static void second(void) {
}
