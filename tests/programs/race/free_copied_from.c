// memcpy reads a block that another thread has freed, and a write(2) one of which the end is freed.
// FLAGS: -fno-builtin
// EXPECT: Read of size 100 at
// EXPECT: Read of size 150 at
// REPORTS: 2
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unordered.h"

static char *block, *cut, *volatile to;
static int null;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(100);
    cut = malloc(200);
    to = malloc(100);
    null = open("/dev/null", O_WRONLY);
}

static void first(void) {
    free(block);
    // The result is the same pointer, but storing it would be a race of its own.
    if (realloc(cut, 120) != cut) abort();
}

static void second(void) {
    memcpy(to, block, 100);
    write(null, cut, 150);
}
