// pipe writes two numbers, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>

#include "unordered.h"

static int area[8];

static void first(void) {
    pipe(area + 2);
}

static void second(void) {
    *((volatile char *)area + 7) = 1;
    *((volatile char *)area + 16) = 1;
}
