// memrchr reads from what it finds to the end, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200] = "................abcdefgh\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)memrchr(area + 16, 'd', 8);
}

static void second(void) {
    *(volatile char *)&area[18] = 1;
    *(volatile char *)&area[24] = 1;
}
