// Four parts of a word, written one by one; the word is read later.
// EXPECT: Read of size 8 at
// EXPECT: Earlier write of size 1 at
#include "unordered.h"

static union {
    volatile long word;
    volatile char bytes[8];
} shared;

static void first(void) {
    shared.bytes[1] = 1;
    shared.bytes[3] = 1;
    shared.bytes[5] = 1;
    shared.bytes[7] = 1;
}

static void second(void) {
    (void)shared.word;
}
