// A report that nobody reads any more does not end the program by a signal.
// LEVELS: O1
// RUN-EXIT: 66
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "invisible.h"

static volatile int shared;
static int done;

static void *work(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    int ends[2];
    if (pipe(ends) || close(ends[0]) || dup2(ends[1], 2) != 2) return 3;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    sigset_t pending;
    if (sigpending(&pending) || sigismember(&pending, SIGPIPE)) return 4;
    // The program's own is as it was.
    signal(SIGPIPE, SIG_IGN);
    return write(2, "x", 1) == -1 ? 0 : 5;
}
