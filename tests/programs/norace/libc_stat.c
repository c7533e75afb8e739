// stat writes its structure, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <sys/stat.h>

#include "unordered.h"

static struct stat area[3];

static void first(void) {
    stat("/", &area[1]);
}

static void second(void) {
    *((volatile char *)area + 143) = 1;
    *((volatile char *)area + 288) = 1;
}
