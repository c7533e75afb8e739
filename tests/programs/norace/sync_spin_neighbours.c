// Two spin locks in one word of memory, the same one used by both.
#include <errno.h>

#include "check.h"
#include "unordered.h"

_Alignas(8) static pthread_spinlock_t locks[2];

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 2; i++) pthread_spin_init(&locks[i], PTHREAD_PROCESS_PRIVATE);
}

static volatile int shared;

static void first(void) {
    pthread_spin_lock(&locks[0]);
    shared = 1;
    pthread_spin_unlock(&locks[0]);
}

static void second(void) {
    pthread_spin_lock(&locks[0]);
    shared = 2;
    pthread_spin_unlock(&locks[0]);
}
