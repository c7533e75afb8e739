// gettimeofday writes its structure: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <sys/time.h>

#include "unordered.h"

static struct timeval area[3];

static void first(void) {
    gettimeofday(&area[1], 0);
}

static void second(void) {
    *((volatile char *)area + 16) = 1;
    *((volatile char *)area + 31) = 1;
}
