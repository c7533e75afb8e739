// fgets writes the line and a zero: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
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
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[20] = 1;
}
