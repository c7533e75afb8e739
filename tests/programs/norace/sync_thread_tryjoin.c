// pthread_tryjoin_np that succeeds comes after all that the thread did.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int written, leave;

static void *child(void *unused) {
    shared = 1;
    invisible_signal(&written);
    invisible_wait(&leave, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    invisible_wait(&written, 1);
    invisible_signal(&leave);
    while (pthread_tryjoin_np(thread, 0) == EBUSY) invisible_pause(1);
    shared = 2;
    return 0;
}
