// fgets writes the line and a zero, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>
#include <unistd.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    int ends[2];
    if (pipe(ends)) return;
    write(ends[1], "abc\ndef", 7);
    close(ends[1]);
    FILE *file = fdopen(ends[0], "r");
    fgets(area + 16, 30, file);
    fclose(file);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[21] = 1;
}
