// read writes what it has read, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    int ends[2];
    if (pipe(ends)) return;
    write(ends[1], "abcd", 4);
    read(ends[0], area + 16, 30);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[20] = 1;
}
