// A handler that interrupts changes errno and returns.
// EXPECT: ^WARNING: Goldilocks: handler of SIGALRM changes errno
// EXPECT: ^  Errno was 0 before this handler and is 9 after it, in a run by main thread T0:$
// EXPECT: #0 handler .*signal_errno.c
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t done;

static void handler(int number) {
    write(-1, "", 1);
    done = number;
}

int main(void) {
    signal(SIGALRM, handler);
    ualarm(1000, 0);
    while (!done) errno = 0;
    return 0;
}
