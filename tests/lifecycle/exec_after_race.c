// Another program takes the place of one that had a race: the report is out before.
// LEVELS: O1
// RUN-EXIT: 0
// REPORTS: 1
// STDOUT: ^replaced$
// EXPECT: SUMMARY: Goldilocks: data race
#include <pthread.h>
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
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, 0);
    return execlp("echo", "echo", "replaced", (char *)0);
}
