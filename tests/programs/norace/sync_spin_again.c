// A spin lock keeps its order while it lives.
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
    pthread_spin_lock(&lock);
    shared = 2;
    pthread_spin_unlock(&lock);
}
