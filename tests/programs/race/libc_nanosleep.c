// nanosleep reads its time: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <time.h>

#include "unordered.h"

static struct timespec area[3];

static void first(void) {
    nanosleep(&area[1], 0);
}

static void second(void) {
    *((volatile char *)area + 16) = 1;
    *((volatile char *)area + 31) = 1;
}
