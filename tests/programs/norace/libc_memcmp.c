// memcmp reads all of both, whatever the first difference, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200];
static const char other[200] = "0123456789abcdefghijklmnopqrstuvwxyz";
static volatile long sink;

static void first(void) {
    sink = (long)memcmp(area + 16, other, 20);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[36] = 1;
}
