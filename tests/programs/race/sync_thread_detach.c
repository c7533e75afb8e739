// A thread that was detached is ordered by nothing.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static void *child(void *unused) {
    if (invisible_count(&done) % 2) pthread_detach(pthread_self());
    shared++;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 20; i++) {
        CHECK(pthread_create(&thread, 0, child, 0) == 0);
        invisible_wait(&done, i + 1);
        if (i % 2 == 0) CHECK(pthread_detach(thread) == 0);
    }
    return 0;
}
