// Two threads write to one stream, and another stream is closed.
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static FILE *file, *other;

__attribute__((constructor)) static void prepare(void) {
    file = fopen("/dev/null", "w");
    other = fopen("/dev/null", "w");
}

static void first(void) {
    fputs("text", file);
}

static void second(void) {
    fputs("text", file);
    fprintf(file, "%d", 1);
    fclose(other);
}
