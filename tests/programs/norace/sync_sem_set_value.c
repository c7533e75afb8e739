// A semaphore of System V that is set to a value is taken after that.
#include <sys/ipc.h>
#include <sys/sem.h>

#include "check.h"
#include "unordered.h"

static int set;

__attribute__((constructor)) static void prepare(void) {
    CHECK((set = semget(IPC_PRIVATE, 2, 0600)) >= 0);
}

static volatile int shared;

static void first(void) {
    shared = 1;
    CHECK(semctl(set, 1, SETVAL, 1) == 0);
}

static void second(void) {
    struct sembuf take = {1, -1, 0};
    CHECK(semop(set, &take, 1) == 0);
    CHECK(semctl(set, 0, IPC_RMID) == 0);
    shared = 2;
}
