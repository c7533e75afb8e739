// A handler that interrupts calls `free`.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: signal-unsafe call of `free` in a handler of SIGALRM
// EXPECT: ^  Call of `free` by main thread T0:$
// EXPECT: #0 handler .*signal_free.c
// REJECT: data race
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static void *given;

static void handler(int number) {
    if (given) free(given);
    given = 0;
    done = number;
}

int main(void) {
    given = malloc(10);
    signal(SIGALRM, handler);
    ualarm(1000, 1000);
    while (!done) pause();
    ualarm(0, 0);
    return 0;
}
