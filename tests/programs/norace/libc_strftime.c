// strftime writes the zero, too, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <time.h>

#include "unordered.h"

static char area[64];
static struct tm when;

static void first(void) {
    strftime(area + 16, 40, "%H:%M", &when);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[22] = 1;
}
