// asprintf writes the address of the block: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <stdio.h>
#include <stdlib.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    if (asprintf((char **)(area + 16), "x") == 1) free(*(char **)(area + 16));
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[23] = 1;
}
