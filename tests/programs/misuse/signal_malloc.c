// A handler that interrupts calls `malloc`.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: signal-unsafe call of `malloc` in a handler of SIGALRM
// EXPECT: ^  Call of `malloc` by main thread T0:$
// EXPECT: #0 handler .*signal_malloc.c
// REJECT: data race
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static void *volatile block;

static void handler(int number) {
    block = malloc(10);
    done = number;
}

int main(void) {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (!done) pause();
    ualarm(0, 0);
    return 0;
}
