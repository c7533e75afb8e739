// strtod reads up to the character that ends the number, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdlib.h>

#include "unordered.h"

static char area[200] = "................1.5e3;7\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)strtod(area + 16, 0);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[22] = 1;
}
