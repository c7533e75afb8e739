// A mutex in a block of memory orders while the block lives.
#include <stdlib.h>

#include "unordered.h"

static pthread_mutex_t *mutex;
static volatile int shared;

static void *block_with_mutex(void) {
    pthread_mutex_t *made = malloc(1000);
    *made = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    return made;
}

__attribute__((constructor)) static void prepare(void) {
    mutex = block_with_mutex();
}

static void first(void) {
    pthread_mutex_lock(mutex);
    shared = 1;
    pthread_mutex_unlock(mutex);
}

static void second(void) {
    pthread_mutex_lock(mutex);
    shared = 2;
    pthread_mutex_unlock(mutex);
}
