// A wait after posts that fit comes after them.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
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
    CHECK(sem_post(&semaphore) == 0);
}

static void second(void) {
    CHECK(sem_wait(&semaphore) == 0);
    shared = 2;
}
