// stat writes its structure: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <sys/stat.h>

#include "unordered.h"

static struct stat area[3];

static void first(void) {
    stat("/", &area[1]);
}

static void second(void) {
    *((volatile char *)area + 144) = 1;
    *((volatile char *)area + 287) = 1;
}
