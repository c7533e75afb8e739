// What was initialized by call_once is used without the call.
#include <threads.h>

#include "unordered.h"

static once_flag once = ONCE_FLAG_INIT;
static volatile int shared;

static void initialize(void) {
    shared = 1;
}

static void first(void) {
    call_once(&once, initialize);
}

static void second(void) {
    shared = 2;
}
