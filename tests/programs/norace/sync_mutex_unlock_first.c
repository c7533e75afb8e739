// What is done before the unlock is ordered by it.
#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    pthread_mutex_lock(&mutex);
    shared = 2;
    pthread_mutex_unlock(&mutex);
}
