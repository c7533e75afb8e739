// wcslen reads up to the zero, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <wchar.h>

#include "unordered.h"

static wchar_t area[64] = L"........wide\0....";
static volatile long sink;

static void first(void) {
    sink = (long)wcslen(area + 8);
}

static void second(void) {
    *((volatile char *)area + 31) = 1;
    *((volatile char *)area + 52) = 1;
}
