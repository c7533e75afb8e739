// A signal that nobody waits for orders nothing.
// EXPECT: data race on `value`
#include <pthread.h>

#include "unordered.h"

int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void first(void) {
    value = 1;
    pthread_cond_signal(&condition);
}
static void second(void) {
    pthread_cond_broadcast(&condition);
    (void)lock;
    value = 2;
}
