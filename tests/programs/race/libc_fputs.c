// fputs reads its string: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <stdio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    fputs(area + 16, stdout);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[21] = 1;
}
