// A thread's own copy of a variable is used after the thread was joined.
// EXPECT: ^WARNING: Goldilocks: use of the stack of an ended thread
// EXPECT: ^  Read of size 4 .*by main thread T0
// EXPECT: ^  Earlier end of thread T1, whose stack it is
// REJECT: data race
#include <pthread.h>

static void *work(void *place) {
    static _Thread_local int local = 1;
    *(int *volatile *)place = &local;
    *(volatile int *)&local = 2;
    return place;
}

int main(void) {
    int *volatile local;
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)&local);
    pthread_join(thread, 0);
    (void)*(volatile int *)local;
    return 0;
}
