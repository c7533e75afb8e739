// A post that fails, because the value is the largest one, orders nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "check.h"
#include "unordered.h"

static sem_t semaphore;

__attribute__((constructor)) static void prepare(void) {
    sem_init(&semaphore, 0, INT_MAX);
}

static volatile int shared;

static void first(void) {
    shared = 1;
    CHECK(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
}

static void second(void) {
    CHECK(sem_wait(&semaphore) == 0);
    shared = 2;
}
