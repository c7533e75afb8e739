// A stream is closed, while another thread has written to it.
// LEVELS: O1
#include <stdio.h>

#include "unordered.h"

static FILE *file;

__attribute__((constructor)) static void prepare(void) {
    file = fopen("/dev/null", "w");
}

static void first(void) {
    fputs("text", file);
}

static void second(void) {
    fclose(file);
}
