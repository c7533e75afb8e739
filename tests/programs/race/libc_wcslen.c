// wcslen reads up to the zero: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <wchar.h>

#include "unordered.h"

static wchar_t area[64] = L"........wide\0....";
static volatile long sink;

static void first(void) {
    sink = (long)wcslen(area + 8);
}

static void second(void) {
    *((volatile char *)area + 32) = 1;
    *((volatile char *)area + 51) = 1;
}
