// mktime writes its structure, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <time.h>

#include "unordered.h"

static struct tm area[3] = {{0}, {.tm_year = 100, .tm_mday = 1}};

static void first(void) {
    mktime(&area[1]);
}

static void second(void) {
    *((volatile char *)area + 55) = 1;
    *((volatile char *)area + 112) = 1;
}
