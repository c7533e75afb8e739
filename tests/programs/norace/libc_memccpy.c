// memccpy writes up to the character it stops at, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200];
static const char other[200] = "0123456789abcdefghijklmnopqrstuvwxyz";

static void first(void) {
    memccpy(area + 16, other, '5', 100);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[22] = 1;
}
