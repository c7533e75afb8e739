// A long double occupies 16 bytes, of which the last of its ten is written elsewhere.
// REPORTS: 1
// EXPECT: Write of size 1 at
// EXPECT: Earlier write of size 10 at
#include "unordered.h"

static volatile long double number;

static void first(void) {
    number = 1;
}

static void second(void) {
    ((volatile char *)&number)[9] = 1;
}
