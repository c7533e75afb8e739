// A signal handler and another thread: what helps against that is no lock.
// EXPECT: ^  help: T1 is in a signal handler there, which must not take a lock: make both accesses atomic
// REJECT: guard both
#include <signal.h>

#include "unordered.h"

int flag;

static void handler(int number) {
    flag = number;
}

static void first(void) {
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
}

static void second(void) {
    flag = 0;
}
