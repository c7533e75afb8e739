// A 4-byte write across two words: the other thread touches its last byte, beyond the boundary.
// REPORTS: 1
// EXPECT: Write of size 1 at
// EXPECT: Earlier write of size 4 at
#include "unordered.h"

typedef int unaligned __attribute__((aligned(1), may_alias));
static _Alignas(8) volatile char bytes[2 * 8];

static void first(void) {
    *(volatile unaligned *)&bytes[6] = -1;
}

static void second(void) {
    bytes[9] = 1;
}
