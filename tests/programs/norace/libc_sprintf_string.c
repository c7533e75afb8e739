// sprintf reads a string argument, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";
static char copy[64];

static void first(void) {
    sprintf(copy, "%5.2f %s", 1.5, area + 16);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[22] = 1;
}
