// 2-byte accesses at odd addresses; the second variable lies in two words.
// REPORTS: 2
// EXPECT: Write of size 2 at 0x[0-9a-f]*[13579bdf] by
// EXPECT: Earlier write of size 2 at
#include "unordered.h"

struct packed {
    char before;
    volatile short one;
    char between[4];
    volatile short two;
} __attribute__((packed));
_Static_assert(__builtin_offsetof(struct packed, two) == 7, "the last byte of a word");
static _Alignas(64) struct packed block;

static void first(void) {
    block.one = 1;
    block.two = 1;
}

static void second(void) {
    block.one = 2;
    block.two = 2;
}
