// Reports go to the log, with the process id in its name, and nothing to standard error.
// LEVELS: O1
// RUN: rm -f $OUT.log.*; GOLDILOCKS_OPTIONS=log_path=$OUT.log $OUT || status=$?; grep -c 'WARNING: Goldilocks: data race' $OUT.log.*; exit $status
// RUN-EXIT: 66
// STDOUT: ^1$
#include <pthread.h>

#include "invisible.h"

static volatile int shared;
static int done;

static void *work(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
