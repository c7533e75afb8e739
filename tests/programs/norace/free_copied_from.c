// memcpy and write(2) read what is left of a block whose end another thread has cut off.
// FLAGS: -fno-builtin
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unordered.h"

static char *cut, *volatile to;
static int null;

__attribute__((constructor)) static void allocate(void) {
    cut = malloc(200);
    to = malloc(121);
    null = open("/dev/null", O_WRONLY);
}

static void first(void) {
    // The result is the same pointer, but storing it would be a race of its own.
    if (realloc(cut, 121) != cut) abort();
}

static void second(void) {
    memcpy(to, cut, 121);
    write(null, cut, 121);
}
