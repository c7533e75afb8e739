// A mutex keeps its order while it lives.
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
    pthread_mutex_destroy(&mutex);
    pthread_mutex_init(&mutex, 0);
}
