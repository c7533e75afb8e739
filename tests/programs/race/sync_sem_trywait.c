// sem_trywait that takes nothing orders nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>

#include "check.h"
#include "unordered.h"

static sem_t semaphore;

__attribute__((constructor)) static void prepare(void) {
    sem_init(&semaphore, 0, 0);
}

static volatile int shared;

static void first(void) {
    shared = 1;
    sem_post(&semaphore);
    sem_wait(&semaphore);
}

static void second(void) {
    CHECK(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    shared = 2;
}
