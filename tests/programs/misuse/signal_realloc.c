// A handler that interrupts calls `realloc`.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: signal-unsafe call of `realloc` in a handler of SIGALRM
// EXPECT: ^  Call of `realloc` by main thread T0:$
// EXPECT: #0 handler .*signal_realloc.c
// REJECT: data race
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static void *volatile block;

static void handler(int number) {
    block = realloc(block, 10);
    done = number;
}

int main(void) {
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (!done) pause();
    ualarm(0, 0);
    return 0;
}
