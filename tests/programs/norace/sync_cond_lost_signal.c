// A signal that nobody waits for, and the lock.
#include <pthread.h>

#include "unordered.h"

int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void first(void) {
    value = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
static void second(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    (void)lock;
    value = 2;
}
