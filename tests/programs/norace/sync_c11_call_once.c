// Every call of call_once comes after the initialization.
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
    call_once(&once, initialize);
    shared = 2;
}
