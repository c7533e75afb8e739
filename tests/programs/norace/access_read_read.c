// Two threads read; only a write would make it a race.
#include "unordered.h"

static volatile long shared = 1, sink[2];

static void first(void) {
    sink[0] = shared;
}

static void second(void) {
    sink[1] = shared;
}
