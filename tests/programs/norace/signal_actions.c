// What the program says about its handlers, it gets told again, and it happens: one-shot, with information, ignored.
// LEVELS: O1
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "ordered.h"

static volatile int plain, informed;

static void first(void) {}

static void on_plain(int number) {
    CHECK(number == SIGUSR1);
    plain++;
}

static void on_informed(int number, siginfo_t *information, void *context) {
    CHECK(number == SIGUSR2 && information->si_signo == SIGUSR2 && information->si_pid == getpid() && context);
    informed++;
}

static void second(void) {
    struct sigaction action = {0}, old;
    CHECK(signal(SIGUSR1, on_plain) == SIG_DFL);
    raise(SIGUSR1);
    raise(SIGUSR1);
    CHECK(plain == 2);
    CHECK(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == on_plain && !(old.sa_flags & SA_SIGINFO));
    CHECK(signal(SIGUSR1, SIG_IGN) == on_plain);
    raise(SIGUSR1);
    CHECK(plain == 2 && signal(SIGUSR1, SIG_DFL) == SIG_IGN);

    action.sa_sigaction = on_informed;
    action.sa_flags = SA_SIGINFO | (int)SA_RESETHAND;
    CHECK(sigaction(SIGUSR2, &action, 0) == 0);
    CHECK(sigaction(SIGUSR2, 0, &old) == 0 && old.sa_sigaction == on_informed);
    CHECK(old.sa_flags & (int)SA_RESETHAND && old.sa_flags & SA_SIGINFO);
    kill(getpid(), SIGUSR2);
    CHECK(informed == 1);
    CHECK(sigaction(SIGUSR2, 0, &old) == 0 && old.sa_handler == SIG_DFL);
    CHECK(sigaction(SIGKILL, &action, 0) == -1);

    pid_t child = fork();
    if (!child) {
        kill(getpid(), SIGUSR2);
        _exit(1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR2);
}
