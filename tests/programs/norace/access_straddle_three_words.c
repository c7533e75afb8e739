// A 16-byte write that touches three words: the other thread touches the bytes before and after it.
#include "unordered.h"

typedef long unaligned __attribute__((vector_size(16), aligned(1), may_alias));
static _Alignas(64) volatile char bytes[2 * 64];

static void first(void) {
    *(volatile unaligned *)&bytes[4] = (unaligned){-1, -1};
}

static void second(void) {
    bytes[3] = 1;
    bytes[20] = 1;
}
