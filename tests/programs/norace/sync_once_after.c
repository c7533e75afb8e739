// The thread that has initialized is ordered as the others are: by what it did in the initializer.
#include "unordered.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int shared;

static void initialize(void) {
    shared = 1;
}

static void first(void) {
    pthread_once(&once, initialize);
}

static void second(void) {
    pthread_once(&once, initialize);
    shared = 2;
}
