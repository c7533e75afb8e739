// A condition variable is initialized with a clock, used, destroyed and initialized again.
#include "check.h"
#include "unordered.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static volatile int shared;

static void use(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    CHECK(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
    CHECK(pthread_cond_init(&condition, &attributes) == 0);
    pthread_condattr_destroy(&attributes);
    CHECK(pthread_cond_signal(&condition) == 0);
    CHECK(pthread_cond_broadcast(&condition) == 0);
    CHECK(pthread_cond_destroy(&condition) == 0);
}

static void first(void) {
    pthread_mutex_lock(&mutex);
    shared = 1;
    use();
    pthread_mutex_unlock(&mutex);
}

static void second(void) {
    pthread_mutex_lock(&mutex);
    use();
    shared = 2;
    pthread_mutex_unlock(&mutex);
}
