// What comes after a signal is sent may meet its handler, however that was installed.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// OPTIONS: report_once=0
// REPORTS: 2
#include <pthread.h>
#include <signal.h>

#include "check.h"
#include "unordered.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

static volatile long shared[2];
static int written, handled;
static pthread_t main_thread;

static void handler(int number) {
    int way = number == SIGUSR2;
    invisible_wait(&written, way + 1);
    shared[way] = number;
    invisible_signal(&handled);
}

__attribute__((constructor)) static void prepare(void) {
    main_thread = pthread_self();
    CHECK(sigset(SIGUSR1, handler) == SIG_DFL && sysv_signal(SIGUSR2, handler) == SIG_DFL);
}

static void first(void) {
    int signals[] = {SIGUSR1, SIGUSR2};
    for (int way = 0; way < 2; way++) {
        CHECK(pthread_kill(main_thread, signals[way]) == 0);
        shared[way] = 1;
        invisible_signal(&written);
        invisible_wait(&handled, way + 1);
    }
}

static void second(void) {
}
