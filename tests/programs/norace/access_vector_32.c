// A 32-byte vector, and the bytes beside it.
#include "unordered.h"

typedef long vector __attribute__((vector_size(32)));
static struct {
    volatile char before[32];
    volatile vector middle;
    volatile char after[32];
} shared;

static void first(void) {
    shared.middle = (vector){1, 2, 3, 4};
}

static void second(void) {
    shared.before[31] = 1;
    shared.after[0] = 1;
}
