// mktime writes its structure: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <time.h>

#include "unordered.h"

static struct tm area[3] = {{0}, {.tm_year = 100, .tm_mday = 1}};

static void first(void) {
    mktime(&area[1]);
}

static void second(void) {
    *((volatile char *)area + 56) = 1;
    *((volatile char *)area + 111) = 1;
}
