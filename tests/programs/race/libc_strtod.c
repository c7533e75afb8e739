// strtod reads up to the character that ends the number: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <stdlib.h>

#include "unordered.h"

static char area[200] = "................1.5e3;7\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)strtod(area + 16, 0);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[21] = 1;
}
