// Runs first() in a thread, joins it, and then runs second() in the main thread. The program defines the two.
#pragma once
#include <pthread.h>

static void first(void);
static void second(void);

static void *first_thread(void *unused) {
    first();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first_thread, 0);
    pthread_join(thread, 0);
    second();
    return 0;
}
