// The last one of two thousand threads is not joined before the access.
// REPORTS: 1
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static void *child(void *unused) {
    shared++;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    for (int i = 0; i < 2000; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, 0, child, 0) == 0);
        invisible_wait(&done, i + 1);
        if (i == 1999) shared++;
        pthread_join(thread, 0);
        shared++;
    }
    return 0;
}
