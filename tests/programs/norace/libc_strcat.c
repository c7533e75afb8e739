// strcat writes behind what is there, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200] = "................ab\0..........";

static void first(void) {
    strcat(area + 16, "cdef");
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[23] = 1;
}
