// A word and, later, its last two bytes alone.
// REPORTS: 1
// EXPECT: Read of size 2 at 0x[0-9a-f]*[6e] by
// EXPECT: Earlier write of size 8 at
#include "unordered.h"

static union {
    volatile long word;
    volatile short halves[4];
} shared;

static void first(void) {
    shared.word = 1;
}

static void second(void) {
    (void)shared.halves[3];
}
