// Four parts of a word, read by one thread while another writes the rest.
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
    for (int i = 0; i < 8; i += 2) shared.bytes[i] = shared.bytes[(i + 2) % 8];
}
