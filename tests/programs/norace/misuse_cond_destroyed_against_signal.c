// A signal before the unlock is over when the one who waited for it destroys the condition variable.
#include <pthread.h>

#include "check.h"
#include "unordered.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void first(void) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    ready = 1;
    CHECK(pthread_cond_signal(&changed) == 0);
    CHECK(pthread_mutex_unlock(&lock) == 0);
}

static void second(void) {
    CHECK(pthread_mutex_lock(&lock) == 0);
    while (!ready) CHECK(pthread_cond_wait(&changed, &lock) == 0);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    CHECK(pthread_cond_destroy(&changed) == 0);
}
