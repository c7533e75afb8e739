// strndup reads no more than its limit, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <string.h>
#include <stdlib.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    free(strndup(area + 16, 3));
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[19] = 1;
}
