// Of two threads one is joined, the other one is detached and has ended: what that did is not ordered before anything.
// EXPECT: Write of size 4 at 0x[0-9a-f]+ by main thread
// EXPECT: Earlier write of size 4 at 0x[0-9a-f]+ by thread T1
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared, other;
static int written;

static void *write_it(void *unused) {
    shared = 1;
    invisible_signal(&written);
    return unused;
}

static void *write_other(void *unused) {
    other = 1;
    return unused;
}

int main(void) {
    pthread_t detached, joined;
    CHECK(!pthread_create(&detached, 0, write_it, 0));
    pthread_detach(detached);
    invisible_wait(&written, 1);
    invisible_pause(50);
    CHECK(!pthread_create(&joined, 0, write_other, 0));
    pthread_join(joined, 0);
    other = 2;
    shared = 2;
    return 0;
}
