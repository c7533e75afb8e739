// localtime_r writes its structure, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <time.h>

#include "unordered.h"

static struct tm area[3];
static time_t when;

static void first(void) {
    localtime_r(&when, &area[1]);
}

static void second(void) {
    *((volatile char *)area + 55) = 1;
    *((volatile char *)area + 112) = 1;
}
