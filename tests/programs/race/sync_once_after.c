// What the initializing thread does after the call is not ordered by it.
#include "unordered.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int shared;

static void initialize(void) {
}

static void first(void) {
    pthread_once(&once, initialize);
    shared = 1;
}

static void second(void) {
    pthread_once(&once, initialize);
    shared = 2;
}
