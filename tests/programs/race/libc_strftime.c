// strftime writes the zero, too: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <time.h>

#include "unordered.h"

static char area[64];
static struct tm when;

static void first(void) {
    strftime(area + 16, 40, "%H:%M", &when);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[21] = 1;
}
