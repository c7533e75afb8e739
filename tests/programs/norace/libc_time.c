// time writes the time, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <time.h>

#include "unordered.h"

static time_t area[3];

static void first(void) {
    time(&area[1]);
}

static void second(void) {
    *((volatile char *)area + 7) = 1;
    *((volatile char *)area + 16) = 1;
}
