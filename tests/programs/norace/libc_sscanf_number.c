// sscanf writes numbers by their size, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    sscanf("7 8", "%hhd %lld", area + 8, (long long *)(area + 16));
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[24] = 1;
}
