// What the creator does after the creation is not ordered with the new thread.
// EXPECT: #0 child
// EXPECT: #0 main
// EXPECT: created by
#include <pthread.h>

#include "invisible.h"

static volatile int shared;
static int written;

static void *child(void *unused) {
    invisible_wait(&written, 1);
    shared = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    shared = 1;
    invisible_signal(&written);
    pthread_join(thread, 0);
    return 0;
}
