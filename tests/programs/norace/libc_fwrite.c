// fwrite reads its block, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    fwrite(area + 16, 2, 4, stdout);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[24] = 1;
}
