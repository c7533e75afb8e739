// Two bit-fields in one byte: writing one is reading and writing the other.
// EXPECT: data race
#include "unordered.h"

static volatile struct {
    unsigned low : 3;
    unsigned high : 5;
} fields;

static void first(void) {
    fields.low = 1;
}

static void second(void) {
    fields.high = 1;
}
