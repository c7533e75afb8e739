// wcscpy writes the zero, too, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <wchar.h>

#include "unordered.h"

static wchar_t area[64];

static void first(void) {
    wcscpy(area + 8, L"wide");
}

static void second(void) {
    *((volatile char *)area + 31) = 1;
    *((volatile char *)area + 52) = 1;
}
