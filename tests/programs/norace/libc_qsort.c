// qsort writes its elements, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdlib.h>

#include "unordered.h"

static char area[64];
static int compare(const void *a, const void *b) { return a < b; }

static void first(void) {
    qsort(area + 16, 5, 2, compare);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[26] = 1;
}
