// fread writes what it has read: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <stdio.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    FILE *file = fopen("/dev/zero", "r");
    fread(area + 16, 3, 3, file);
    fclose(file);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[24] = 1;
}
