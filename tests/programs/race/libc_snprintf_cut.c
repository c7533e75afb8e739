// snprintf writes no more than its room: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <stdio.h>

#include "unordered.h"

static char area[200];

static void first(void) {
    snprintf(area + 16, 4, "%d", 123456);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[19] = 1;
}
