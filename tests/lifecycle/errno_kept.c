// The program's errno is what it was, whatever the runtime does to report a race: of a plain access, and of atomic operations.
// LEVELS: O0 O2
// OPTIONS: log_path=/nonexistent/folder/log
// EXPECT: data race on `plain`
// EXPECT: data race on `word`
// EXPECT: data race on `flag`
// EXPECT: errno is kept
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "invisible.h"

static volatile int plain;
static _Atomic int word, flag;
static int done;

static void *work(void *unused) {
    plain = 1;
    *(volatile int *)&word = 1;
    *(volatile int *)&flag = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&done, 1);
    // Such operations have been made before, so that the short ways know where they are called from.
    for (int turn = 0; turn < 2; turn++) {
        static _Atomic int own;
        _Atomic int *at = turn ? &word : &own, *to = turn ? &flag : &own;
        errno = 77;
        atomic_fetch_add_explicit(at, 1, memory_order_acq_rel);
        atomic_store_explicit(to, 1, memory_order_release);
        if (turn) plain = 2;
        if (errno != 77) fprintf(stderr, "errno is %d\n", errno);
    }
    fprintf(stderr, errno == 77 ? "errno is kept\n" : "errno has been changed\n");
    pthread_join(thread, 0);
    return 0;
}
