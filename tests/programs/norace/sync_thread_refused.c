// A thread that could not be created orders nothing and breaks nothing.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static void *child(void *unused) {
    shared = 1;
    invisible_signal(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    // More than there is of the address space.
    CHECK(pthread_attr_setstacksize(&attributes, 1UL << 62) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&thread, &attributes, child, 0) != 0);
    CHECK(pthread_create(&thread, 0, child, 0) == 0);
    invisible_wait(&done, 1);
    pthread_join(thread, 0);
    shared = 2;
    return 0;
}
