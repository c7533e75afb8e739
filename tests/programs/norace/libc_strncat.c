// strncat writes a zero behind its limit, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200] = "................ab\0..........";

static void first(void) {
    strncat(area + 16, "cdefgh", 3);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[22] = 1;
}
