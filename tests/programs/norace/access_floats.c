// Floating-point accesses, ordered by a join.
#include "ordered.h"

static volatile float single;
static volatile double twice;

static void first(void) {
    single = 1;
    twice = 1;
}

static void second(void) {
    single = 2;
    (void)twice;
}
