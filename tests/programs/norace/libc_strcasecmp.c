// strcasecmp reads up to the first difference but for case, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <strings.h>

#include "unordered.h"

static char area[200] = "................hello world\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)strcasecmp(area + 16, "HELp");
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[20] = 1;
}
