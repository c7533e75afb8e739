// strncat writes a zero behind its limit: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <string.h>

#include "unordered.h"

static char area[200] = "................ab\0..........";

static void first(void) {
    strncat(area + 16, "cdefgh", 3);
}

static void second(void) {
    *(volatile char *)&area[18] = 1;
    *(volatile char *)&area[21] = 1;
}
