// mbstowcs writes the zero, too, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdlib.h>

#include "unordered.h"

static wchar_t area[64];

static void first(void) {
    mbstowcs(area + 8, "abc", 20);
}

static void second(void) {
    *((volatile char *)area + 31) = 1;
    *((volatile char *)area + 48) = 1;
}
