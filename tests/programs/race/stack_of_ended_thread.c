// A thread's local variable is used after the thread has ended, with nothing to order the two.
// EXPECT: ^WARNING: Goldilocks: data race between access and the end of the thread whose stack it is
// EXPECT: ^  Write of size 4 .*by main thread T0
// EXPECT: ^  Earlier end of thread T1, whose stack it is
// EXPECT: Location: the stack of thread T1
// REPORTS: 1
#include <pthread.h>
#include <unistd.h>

#include "gone.h"

static int *volatile published;
static int begun, number;

static void *work(void *unused) {
    int local = 1;
    __asm__ volatile("movq %1, (%0)" : : "r"(&published), "r"(&local) : "memory");
    *(volatile int *)&local = 2;
    int self = thread_number();
    __asm__ volatile("movl %1, (%0)" : : "r"(&number), "r"(self) : "memory");
    invisible_signal(&begun);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    invisible_wait(&begun, 1);
    int gone;
    int *local;
    __asm__ volatile("movl (%1), %0" : "=r"(gone) : "r"(&number) : "memory");
    __asm__ volatile("movq (%1), %0" : "=r"(local) : "r"(&published) : "memory");
    wait_until_gone(getpid(), gone);
    *local = 3;
    pthread_join(thread, 0);
    return 0;
}
