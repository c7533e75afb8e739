// A semaphore may be posted by a thread that has not waited, and destroyed by the one whom a post has woken.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "check.h"

static void *poster(void *semaphore) {
    CHECK(sem_post(semaphore) == 0);
    return 0;
}

int main(void) {
    for (int round = 0; round < 300; round++) {
        sem_t *semaphore = malloc(sizeof *semaphore);
        CHECK(sem_init(semaphore, 0, 0) == 0);
        pthread_t thread;
        CHECK(pthread_create(&thread, 0, poster, semaphore) == 0);
        CHECK(sem_wait(semaphore) == 0);
        CHECK(sem_destroy(semaphore) == 0);
        free(semaphore);
        CHECK(pthread_join(thread, 0) == 0);
    }
    return 0;
}
