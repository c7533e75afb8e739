// A 32-byte vector, and a byte of its last word.
// REPORTS: 1
// EXPECT: Write of size 1 at
// EXPECT: Earlier write of size (32|16) at
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
    ((volatile char *)&shared.middle)[31] = 1;
}
