// An 8-byte write across two cache lines: the other thread touches the bytes before and after it.
#include "unordered.h"

typedef long unaligned __attribute__((aligned(1), may_alias));
static _Alignas(64) volatile char bytes[2 * 64];

static void first(void) {
    *(volatile unaligned *)&bytes[58] = -1;
}

static void second(void) {
    bytes[57] = 1;
    bytes[66] = 1;
}
