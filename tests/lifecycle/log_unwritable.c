// A log that cannot be written must not cost the reports.
// LEVELS: O1
// OPTIONS: log_path=/nonexistent/folder/log
// EXPECT: /nonexistent/folder/log
// EXPECT: WARNING: Goldilocks: data race
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
