// memcpy of many pages writes its target, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[100000];
static const char other[100000];

static void first(void) {
    memcpy(area + 1001, other, 90001);
}

static void second(void) {
    *(volatile char *)&area[1000] = 1;
    *(volatile char *)&area[91002] = 1;
}
