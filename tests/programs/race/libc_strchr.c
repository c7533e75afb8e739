// strchr reads up to what it finds: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <string.h>

#include "unordered.h"

static char area[200] = "................hello world\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)strchr(area + 16, 'o');
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[20] = 1;
}
