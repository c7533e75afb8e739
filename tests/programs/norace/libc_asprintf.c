// asprintf writes the address of the block, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>
#include <stdlib.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    if (asprintf((char **)(area + 16), "x") == 1) free(*(char **)(area + 16));
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[24] = 1;
}
