// sscanf writes the zero of a string, too: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <stdio.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    sscanf("word rest", "%*s %3s", area + 16);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[19] = 1;
}
