// A program that has more rights than whoever calls it does not let the caller say where to write, and finds races all the same.
// LEVELS: O1
// RUN: cp $OUT $OUT.setuid && chown 65534:65534 $OUT.setuid && chmod 6755 $OUT.setuid && GOLDILOCKS_OPTIONS=log_path=$OUT.stolen $OUT.setuid; got=$?; rm -f $OUT.setuid; test ! -e $OUT.stolen.* && exit $got
// EXPECT: GOLDILOCKS_OPTIONS is not read
// EXPECT: data race
// EXPECT: no symbolizer is started for a program that has more rights than its caller
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
