// Two named semaphores order nothing.
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static sem_t *posted, *waited;

static sem_t *open_semaphore(const char *which, int units) {
    char name[64];
    snprintf(name, sizeof name, "/goldilocks-twin-%d-%s", (int)getpid(), which);
    sem_t *semaphore = sem_open(name, O_CREAT, 0600, units);
    CHECK(semaphore != SEM_FAILED);
    return semaphore;
}

static void unlink_semaphore(const char *which) {
    char name[64];
    snprintf(name, sizeof name, "/goldilocks-twin-%d-%s", (int)getpid(), which);
    sem_unlink(name);
}

__attribute__((constructor)) static void prepare(void) {
    posted = open_semaphore("a", 0);
    waited = open_semaphore("b", 1);
    unlink_semaphore("a");
    unlink_semaphore("b");
}

static volatile int shared;

static void first(void) {
    shared = 1;
    sem_post(posted);
    sem_close(posted);
}

static void second(void) {
    CHECK(sem_wait(waited) == 0);
    shared = 2;
    sem_close(waited);
}
