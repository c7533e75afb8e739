// A semaphore that is initialized again is another one.
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
}

static void second(void) {
    sem_destroy(&semaphore);
    sem_init(&semaphore, 0, 1);
    CHECK(sem_wait(&semaphore) == 0);
    shared = 2;
}
