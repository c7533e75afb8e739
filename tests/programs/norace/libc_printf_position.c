// printf takes arguments by position, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    printf("%3$s %1$d %2$g\n", 1, 2.0, area + 16);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[22] = 1;
}
