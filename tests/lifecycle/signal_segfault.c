// A program that dies by a bad access after a race: the report is out.
// LEVELS: O1
// RUN-EXIT: signal 11
// REPORTS: 1
// EXPECT: Earlier write of size 4 at
// EXPECT: SUMMARY: Goldilocks: data race
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
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
    *(volatile int *)8 = 1;
    return 0;
}
