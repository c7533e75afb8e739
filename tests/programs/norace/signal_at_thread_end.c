// A signal for the process comes to a thread that is just ending: its handler may use the stack as long as it is one.
// LEVELS: O0
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "check.h"

static int sum;

static void handler(int signal) {
    volatile int own[64];
    for (int i = 0; i < 64; i++) own[i] = signal;
    __atomic_fetch_add(&sum, own[signal % 64], __ATOMIC_RELAXED);
}

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    CHECK(signal(SIGALRM, handler) == SIG_DFL);
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    CHECK(setitimer(ITIMER_REAL, &often, 0) == 0);
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    for (int round = 0; round < 2000; round++) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], 0, nothing, 0) == 0);
        // Leaves them to the threads.
        pthread_sigmask(SIG_BLOCK, &alarms, 0);
        for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
        pthread_sigmask(SIG_UNBLOCK, &alarms, 0);
    }
    CHECK(setitimer(ITIMER_REAL, &never, 0) == 0);
    return 0;
}
