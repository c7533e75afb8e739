// Locks that are held are named when they protect nothing, and nothing is said when they protect.
#include "unordered.h"

static pthread_mutex_t lock_of_first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_of_second = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void first(void) {
    pthread_mutex_lock(&lock_of_first);
    shared = 1;
    pthread_mutex_unlock(&lock_of_first);
}

static void second(void) {
    pthread_mutex_lock(&lock_of_first);
    pthread_mutex_lock(&lock_of_second);
    shared = 2;
    pthread_mutex_unlock(&lock_of_second);
    pthread_mutex_unlock(&lock_of_first);
}
