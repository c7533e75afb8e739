// strerror_r writes the message, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200];

static void first(void) {
    strerror_r(100000, area + 16, 100);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[37] = 1;
}
