// strtol reads up to the character that ends the number, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdlib.h>

#include "unordered.h"

static char area[200] = "................1234x56\0..........";
static volatile long sink;

static void first(void) {
    sink = (long)strtol(area + 16, 0, 10);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[21] = 1;
}
