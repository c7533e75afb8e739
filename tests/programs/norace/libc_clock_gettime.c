// clock_gettime writes its structure, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <time.h>

#include "unordered.h"

static struct timespec area[3];

static void first(void) {
    clock_gettime(CLOCK_REALTIME, &area[1]);
}

static void second(void) {
    *((volatile char *)area + 15) = 1;
    *((volatile char *)area + 32) = 1;
}
