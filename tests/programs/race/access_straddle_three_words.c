// A 16-byte write that touches three words: the other thread touches its last byte, beyond the boundary.
// REPORTS: 1
// EXPECT: Write of size 1 at
// EXPECT: Earlier write of size 16 at
#include "unordered.h"

typedef long unaligned __attribute__((vector_size(16), aligned(1), may_alias));
static _Alignas(64) volatile char bytes[2 * 64];

static void first(void) {
    *(volatile unaligned *)&bytes[4] = (unaligned){-1, -1};
}

static void second(void) {
    bytes[19] = 1;
}
