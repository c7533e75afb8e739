// An increment is a read and a write.
// EXPECT: data race
// EXPECT: size 8 at
#include "unordered.h"

static volatile long counter;

static void first(void) {
    counter++;
}

static void second(void) {
    counter++;
}
