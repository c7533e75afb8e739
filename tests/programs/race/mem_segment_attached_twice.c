// A shared segment that is attached twice is one: accesses at both addresses are a race.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `other\[1\]`
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "check.h"
#include "unordered.h"

static volatile int *one, *other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void prepare(void) {
    int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    CHECK(segment >= 0);
    one = shmat(segment, 0, 0);
    other = shmat(segment, 0, 0);
    CHECK(shmctl(segment, IPC_RMID, 0) == 0);
}

static void first(void) {
    pthread_mutex_lock(&mutex);
    one[1] = 1;
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    other[1] = 2;
    CHECK(shmdt((void *)one) == 0 && shmdt((void *)other) == 0);
}
