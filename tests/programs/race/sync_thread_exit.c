// A thread that ends by pthread_exit is not ordered before it is joined.
#include <pthread.h>

#include "check.h"
#include "invisible.h"

static volatile int shared;
static int done;

static void deep(void) {
    shared = 1;
    invisible_signal(&done);
    pthread_exit(&done);
}

static void *child(void *unused) {
    deep();
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, child, 0);
    invisible_wait(&done, 1);
    shared = 2;
    pthread_join(thread, &result);
    CHECK(result == &done);
    return 0;
}
