// strncpy reads no more than its limit, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200] = "................hello world\0..........";
static char copy[20];

static void first(void) {
    strncpy(copy, area + 16, 4);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[20] = 1;
}
