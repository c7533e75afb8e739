// qsort writes its elements: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <stdlib.h>

#include "unordered.h"

static char area[64];
static int compare(const void *a, const void *b) { return a < b; }

static void first(void) {
    qsort(area + 16, 5, 2, compare);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[25] = 1;
}
