// memmove within one block writes its target, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200];
static const char other[200] = "0123456789abcdefghijklmnopqrstuvwxyz";

static void first(void) {
    memmove(area + 20, area + 16, 21);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[41] = 1;
}
