// wcscpy writes the zero, too: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <wchar.h>

#include "unordered.h"

static wchar_t area[64];

static void first(void) {
    wcscpy(area + 8, L"wide");
}

static void second(void) {
    *((volatile char *)area + 32) = 1;
    *((volatile char *)area + 51) = 1;
}
