// A handler that interrupts calls `operator new`.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: signal-unsafe call of `operator new` in a handler of SIGALRM
// EXPECT: ^  Call of `operator new` by main thread T0:$
// EXPECT: #0 handler .*signal_new.cpp
// REJECT: data race
#include <signal.h>

#include <unistd.h>

static volatile sig_atomic_t done;
static void *volatile block;

static void handler(int number) {
    block = new long;
    done = number;
}

int main() {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (!done) pause();
    ualarm(0, 0);
    return 0;
}
