// Everything up to the outermost unlock of a recursive mutex is ordered by it.
#define _GNU_SOURCE

#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static volatile int shared;

static void first(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_trylock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    shared = 2;
    pthread_mutex_unlock(&mutex);
}
