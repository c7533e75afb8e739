// A handler that interrupts calls `puts`.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: signal-unsafe call of `puts` in a handler of SIGALRM
// EXPECT: ^  Call of `puts` by main thread T0:$
// EXPECT: #0 handler .*signal_puts.c
// REJECT: data race
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t done;

static void handler(int number) {
    puts("a signal");
    done = number;
}

int main(void) {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (!done) pause();
    ualarm(0, 0);
    return 0;
}
