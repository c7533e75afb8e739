// snprintf writes no more than its room, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[200];

static void first(void) {
    snprintf(area + 16, 4, "%d", 123456);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[20] = 1;
}
