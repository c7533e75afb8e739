// printf writes where %n says, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    printf("abc%hn\n", (short *)(area + 16));
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[18] = 1;
}
