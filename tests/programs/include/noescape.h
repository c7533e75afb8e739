// A function that promises not to keep a pointer gives it to a thread for as long as it runs. That the thread is done it hears by an atomic, which with RACE orders nothing.
#pragma once
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef RACE
enum { ORDER = memory_order_relaxed };
#else
enum { ORDER = memory_order_release };
#endif
static atomic_int done;

static void *sets(void *number) {
    *(int *)number = 7;
    atomic_store_explicit(&done, 1, ORDER);
    return 0;
}

__attribute__((noinline)) static void run(__attribute__((noescape)) int *number) {
    pthread_t thread;
    pthread_create(&thread, 0, sets, number);
    pthread_detach(thread);
    while (!atomic_load_explicit(&done, memory_order_acquire)) sched_yield();
}

__attribute__((noinline)) static int result(void) {
    int number = 1;
    run(&number);
    return number;
}

int main(void) {
    return result() != 7;
}
