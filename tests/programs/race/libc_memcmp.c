// memcmp reads all of both, whatever the first difference: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <string.h>

#include "unordered.h"

static char area[200];
static const char other[200] = "0123456789abcdefghijklmnopqrstuvwxyz";
static volatile long sink;

static void first(void) {
    sink = (long)memcmp(area + 16, other, 20);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[35] = 1;
}
