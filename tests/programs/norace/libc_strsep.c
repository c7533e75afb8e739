// strsep writes a zero behind the piece, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>

#include "unordered.h"

static char area[200] = "................one,two\0..........";

static void first(void) {
    char *text = area + 16;
    strsep(&text, ",");
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[20] = 1;
}
