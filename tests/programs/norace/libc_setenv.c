// setenv reads its value, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdlib.h>

#include "unordered.h"

static char area[200] = "................value\0..........";

static void first(void) {
    setenv("NAME", area + 16, 1);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[22] = 1;
}
