// wmemset writes its target, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <wchar.h>

#include "unordered.h"

static wchar_t area[64];

static void first(void) {
    wmemset(area + 8, L'x', 5);
}

static void second(void) {
    *((volatile char *)area + 31) = 1;
    *((volatile char *)area + 52) = 1;
}
