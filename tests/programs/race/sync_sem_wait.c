// A wait does not come after what was done after the post.
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
    sem_post(&semaphore);
    shared = 1;
}

static void second(void) {
    CHECK(sem_wait(&semaphore) == 0);
    shared = 2;
}
