// printf reads no more of a string than its precision, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    printf("%.*s", 3, area + 16);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[19] = 1;
}
