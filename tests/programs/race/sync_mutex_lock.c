// Two mutexes order nothing.
// REPORTS: 1
// EXPECT: #0 second
// EXPECT: #0 first
#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    pthread_mutex_lock(&other);
    shared = 2;
    pthread_mutex_unlock(&other);
}
