// A wait comes after the post that it used.
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
    CHECK(sem_wait(&semaphore) == 0);
    shared = 2;
}
