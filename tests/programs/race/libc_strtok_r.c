// strtok_r writes a zero behind the piece: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <string.h>

#include "unordered.h"

static char area[200] = "................one,two\0..........";
static char *rest;

static void first(void) {
    strtok_r(area + 16, ",", &rest);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[19] = 1;
}
