// getrandom writes its block, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <sys/random.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    getrandom(area + 16, 11, 0);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[27] = 1;
}
