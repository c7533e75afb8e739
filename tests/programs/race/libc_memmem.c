// memmem reads up to the end of what it finds: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <string.h>

#include "unordered.h"

static char area[200] = "................abcdefgh\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)memmem(area + 16, 100, "def", 3);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[21] = 1;
}
