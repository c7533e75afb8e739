// A 4-byte write across two words: the other thread touches the bytes before and after it.
#include "unordered.h"

typedef int unaligned __attribute__((aligned(1), may_alias));
static _Alignas(8) volatile char bytes[2 * 8];

static void first(void) {
    *(volatile unaligned *)&bytes[6] = -1;
}

static void second(void) {
    bytes[5] = 1;
    bytes[10] = 1;
}
