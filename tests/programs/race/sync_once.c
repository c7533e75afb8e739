// What was initialized by pthread_once is used without the call.
// EXPECT: #0 initialize
// EXPECT: #[1-9] first
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
    shared = 2;
}
