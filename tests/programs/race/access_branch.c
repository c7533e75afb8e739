// A read that happens on one way only, and this run takes it.
// REPORTS: 1
// EXPECT: Read of size 4 at
// EXPECT: Earlier write of size 4 at
#include "unordered.h"

static volatile int shared;
static volatile int take = 1, sink;

static void first(void) {
    shared = 1;
}

static void second(void) {
    if (take) sink = shared;
}
