// strstr reads up to the end of what it finds, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200] = "................hello world\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)strstr(area + 16, "lo w");
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[23] = 1;
}
