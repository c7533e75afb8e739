// Runs first() in a thread and then second() in the main thread, with nothing between them that a detector may take
// for order. The program defines the two.
#pragma once
#include <pthread.h>

#include "invisible.h"

static void first(void);
static void second(void);
static int first_is_done;

static void *first_thread(void *unused) {
    first();
    invisible_signal(&first_is_done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first_thread, 0);
    invisible_wait(&first_is_done, 1);
    second();
    pthread_join(thread, 0);
    return 0;
}
