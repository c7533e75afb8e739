// One thread reads without order; seven others read later, and they are ordered before the write that ends it all. The first
// read must not have been pushed out by the seven.
// RUNS: 20
// REPORTS: 1
// EXPECT: Write of size 8 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier read of size 8 at 0x[0-9a-f]+ by
// EXPECT: #0 the_racing_read
#include <pthread.h>

#include "invisible.h"

static volatile long shared;
static int done;

static void *the_racing_read(void *unused) {
    (void)shared;
    invisible_signal(&done);
    return unused;
}

static void *an_ordered_read(void *unused) {
    (void)shared;
    return unused;
}

int main(void) {
    pthread_t racing;
    pthread_create(&racing, 0, the_racing_read, 0);
    invisible_wait(&done, 1);
    for (int i = 0; i < 7; i++) {
        pthread_t ordered;
        pthread_create(&ordered, 0, an_ordered_read, 0);
        pthread_join(ordered, 0);
    }
    shared = 1;
    pthread_join(racing, 0);
    return 0;
}
