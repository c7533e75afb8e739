// Threads that have ended and that nobody has joined or detached: one report for each place of creation.
// EXPECT: ^WARNING: Goldilocks: thread leak: 3 threads have ended and were neither joined nor detached
// EXPECT: ^  Creation of T1, T2 `second` and T3 by main thread T0:$
// EXPECT: ^WARNING: Goldilocks: thread leak: a thread has ended and was neither joined nor detached
// EXPECT: ^  Creation of T4 by main thread T0:$
// EXPECT: ^Goldilocks: 2 findings
// REJECT: T5
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "gone.h"

static int started, named, numbers[4];

static void *work(void *place) {
    int number = thread_number();
    __asm__ volatile("movl %1, (%0)" : : "r"(place), "r"(number) : "memory");
    invisible_signal(&started);
    invisible_wait(&named, 1);
    return place;
}

// Optimized, the loop becomes three places.
__attribute__((optnone)) int main(void) {
    pthread_t thread;

    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, work, &numbers[i]);
        if (i == 1) pthread_setname_np(thread, "second");
    }
    pthread_create(&thread, 0, work, &numbers[3]);
    pthread_t joined;
    int unused;
    pthread_create(&joined, 0, work, &unused);
    invisible_signal(&named);
    pthread_join(joined, 0);
    invisible_wait(&started, 5);
    for (int i = 0; i < 4; i++) {
        int number;
        __asm__ volatile("movl (%1), %0" : "=r"(number) : "r"(&numbers[i]) : "memory");
        wait_until_gone(getpid(), number);
    }
    return 0;
}
