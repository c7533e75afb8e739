// memcpy of many pages writes its target: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <string.h>

#include "unordered.h"

static char area[100000];
static const char other[100000];

static void first(void) {
    memcpy(area + 1001, other, 90001);
}

static void second(void) {
    *(volatile char *)&area[1001] = 1;
    *(volatile char *)&area[91001] = 1;
}
