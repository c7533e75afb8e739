// A spin lock does not order what is done after its unlock.
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
    pthread_spin_unlock(&lock);
    shared = 1;
}

static void second(void) {
    pthread_spin_lock(&lock);
    shared = 2;
    pthread_spin_unlock(&lock);
}
