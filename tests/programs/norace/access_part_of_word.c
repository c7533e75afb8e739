// The first and last two bytes of a word.
#include "unordered.h"

static union {
    volatile long word;
    volatile short halves[4];
} shared;

static void first(void) {
    shared.halves[0] = 1;
}

static void second(void) {
    (void)shared.halves[3];
}
