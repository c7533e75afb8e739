// A read that happens on one way only, and this run does not take it.
#include "unordered.h"

static volatile int shared;
static volatile int take = 1, sink;

static void first(void) {
    shared = 1;
}

static void second(void) {
    take = 0;
    if (take) sink = shared;
}
