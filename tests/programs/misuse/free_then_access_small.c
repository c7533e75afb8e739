// The last bytes of blocks whose sizes are no multiple of a word are used after the blocks were freed.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: heap use after free
// EXPECT: ^  Earlier free of size .* by thread T1
// EXPECT: ^Goldilocks: 3 findings
#include <stdlib.h>

#include "ordered.h"

static volatile char *blocks[3];

__attribute__((constructor)) static void allocate(void) {
    blocks[0] = malloc(1);
    blocks[1] = malloc(4);
    blocks[2] = malloc(29);
}

static void first(void) {
    for (int i = 0; i < 3; i++) free((void *)blocks[i]);
}

static void second(void) {
    (void)blocks[0][0];
    (void)blocks[1][3];
    (void)blocks[2][28];
}
