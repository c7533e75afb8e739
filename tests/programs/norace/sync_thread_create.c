// What the creator did before the creation comes before the new thread.
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
    shared = 1;
    pthread_create(&thread, 0, child, 0);
    invisible_signal(&written);
    pthread_join(thread, 0);
    return 0;
}
