// Floating-point accesses.
// REPORTS: 2
// EXPECT: Write of size 4 at
// EXPECT: Read of size 8 at
#include "unordered.h"

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
