// Every thread has a variable of its own, under one name; threads that follow each other may get the same memory.
#include "unordered.h"

static _Thread_local volatile int mine;

static void *other_thread(void *unused) {
    mine = 3;
    return unused;
}

static void first(void) {
    mine = 1;
}

static void second(void) {
    mine = 2;
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, other_thread, 0);
        pthread_join(thread, 0);
    }
}
