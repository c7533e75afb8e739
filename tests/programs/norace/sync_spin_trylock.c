// pthread_spin_trylock orders when it gets the lock.
#include <errno.h>

#include "check.h"
#include "unordered.h"

static pthread_spinlock_t lock;

__attribute__((constructor)) static void prepare(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
}

static volatile int shared;

static void first(void) {
    pthread_spin_lock(&lock);
    shared = 1;
    pthread_spin_unlock(&lock);
}

static void second(void) {
    CHECK(pthread_spin_trylock(&lock) == 0);
    shared = 2;
    pthread_spin_unlock(&lock);
}
