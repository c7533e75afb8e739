// strtol tells where it ended: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <stdlib.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    strtol("12", (char **)(area + 16), 10);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[23] = 1;
}
