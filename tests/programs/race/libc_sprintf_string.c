// sprintf reads a string argument: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <stdio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";
static char copy[64];

static void first(void) {
    sprintf(copy, "%5.2f %s", 1.5, area + 16);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[21] = 1;
}
