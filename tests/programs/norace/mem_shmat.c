// A shared segment is detached, while another thread has written another.
// FLAGS: -D_GNU_SOURCE
#include <sys/shm.h>

#include "unordered.h"

static volatile char *one, *other;

static char *segment(void) {
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    char *attached = shmat(id, 0, 0);
    shmctl(id, IPC_RMID, 0);
    return attached;
}

__attribute__((constructor)) static void allocate(void) {
    one = 0;
}

static void first(void) {
    other = segment();
    one = segment();
    other[7] = 1;
}

static void second(void) {
    shmdt((void *)segment());
}
