// strtol tells where it ended, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdlib.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    strtol("12", (char **)(area + 16), 10);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[24] = 1;
}
