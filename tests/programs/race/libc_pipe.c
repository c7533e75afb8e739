// pipe writes two numbers: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <unistd.h>

#include "unordered.h"

static int area[8];

static void first(void) {
    pipe(area + 2);
}

static void second(void) {
    *((volatile char *)area + 8) = 1;
    *((volatile char *)area + 15) = 1;
}
