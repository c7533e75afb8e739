// Two bit-fields that a field of width zero keeps in different units, written by two threads.
#include "unordered.h"

static volatile struct {
    unsigned low : 3;
    unsigned : 0;
    unsigned high : 5;
} fields;

static void first(void) {
    fields.low = 1;
}

static void second(void) {
    fields.high = 1;
}
