// A handler that interrupts calls `printf`.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: signal-unsafe call of `printf` in a handler of SIGALRM
// EXPECT: ^  Call of `printf` by main thread T0:$
// EXPECT: #0 handler .*signal_printf.c
// REJECT: data race
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t done;

static void handler(int number) {
    printf("a signal\n");
    done = number;
}

int main(void) {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (!done) pause();
    ualarm(0, 0);
    return 0;
}
