// What is done after the unlock is not ordered by it.
#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    shared = 1;
}

static void second(void) {
    pthread_mutex_lock(&mutex);
    shared = 2;
    pthread_mutex_unlock(&mutex);
}
