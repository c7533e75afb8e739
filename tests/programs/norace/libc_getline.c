// getline writes the size of the line's room, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unordered.h"

static size_t area[3];
static char *line;

static void first(void) {
    int ends[2];
    if (pipe(ends)) return;
    write(ends[1], "abc\n", 4);
    close(ends[1]);
    FILE *file = fdopen(ends[0], "r");
    getline(&line, &area[1], file);
    fclose(file);
    free(line);
}

static void second(void) {
    *((volatile char *)area + 7) = 1;
    *((volatile char *)area + 16) = 1;
}
