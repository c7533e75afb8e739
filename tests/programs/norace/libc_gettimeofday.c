// gettimeofday writes its structure, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <sys/time.h>

#include "unordered.h"

static struct timeval area[3];

static void first(void) {
    gettimeofday(&area[1], 0);
}

static void second(void) {
    *((volatile char *)area + 15) = 1;
    *((volatile char *)area + 32) = 1;
}
