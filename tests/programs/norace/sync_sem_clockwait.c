// sem_clockwait that takes a unit comes after the post.
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
    struct timespec deadline = in_milliseconds(CLOCK_MONOTONIC, 20);
    CHECK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline) == 0);
    shared = 2;
}
