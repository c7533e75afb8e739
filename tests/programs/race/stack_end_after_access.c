// A thread ends while another may still use its local variable.
// EXPECT: ^WARNING: Goldilocks: data race between access and the end of the thread whose stack it is
// EXPECT: ^  End of thread T1, whose stack it is
// EXPECT: ^  Earlier write of size 4 .*by main thread T0
// REPORTS: 1
#include <pthread.h>
#include <semaphore.h>

#include "invisible.h"

static sem_t ready;
static int *volatile published;
static int used;

static void *work(void *unused) {
    int local = 1;
    published = &local;
    *(volatile int *)&local = 2;
    sem_post(&ready);
    invisible_wait(&used, 1);
    return unused;
}

int main(void) {
    sem_init(&ready, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sem_wait(&ready);
    *published = 3;
    invisible_signal(&used);
    pthread_join(thread, 0);
    return 0;
}
