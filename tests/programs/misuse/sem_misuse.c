// EXPECT: ^WARNING: Goldilocks: destruction of a semaphore for which threads wait on `semaphore`
// EXPECT: ^  Destruction of semaphore, for which 1 thread waits, by main thread T0:$
// EXPECT: ^WARNING: Goldilocks: use of a destroyed semaphore on `semaphore`
// EXPECT: ^  Post of semaphore by main thread T0:$
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static sem_t semaphore;

static void *waiter(void *unused) {
    CHECK(sem_wait(&semaphore) == 0);
    return unused;
}

int main(void) {
    CHECK(sem_init(&semaphore, 0, 0) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, 0, waiter, 0) == 0);
    // Nothing tells when it has begun to wait.
    usleep(300000);
    sem_destroy(&semaphore);
    CHECK(sem_post(&semaphore) == 0);
    CHECK(pthread_join(thread, 0) == 0);
    return 0;
}
