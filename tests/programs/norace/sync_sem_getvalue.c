// A wait after the value was looked at comes after the post.
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
    int value;
    CHECK(sem_getvalue(&semaphore, &value) == 0 && value == 1);
    CHECK(sem_wait(&semaphore) == 0);
    shared = 2;
}
