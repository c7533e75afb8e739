// A 16-byte write across two pages: the other thread touches the bytes before and after it.
#include "unordered.h"

typedef long unaligned __attribute__((vector_size(16), aligned(1), may_alias));
static _Alignas(4096) volatile char bytes[2 * 4096];

static void first(void) {
    *(volatile unaligned *)&bytes[4090] = (unaligned){-1, -1};
}

static void second(void) {
    bytes[4089] = 1;
    bytes[4106] = 1;
}
