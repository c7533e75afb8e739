// fread writes what it has read, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    FILE *file = fopen("/dev/zero", "r");
    fread(area + 16, 3, 3, file);
    fclose(file);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[25] = 1;
}
