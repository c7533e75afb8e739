// strspn reads up to the first other character, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200] = "................aabbx\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)strspn(area + 16, "ab");
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[21] = 1;
}
