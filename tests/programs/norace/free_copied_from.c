// memcpy and write(2) read what is left of a block whose end was cut off, as another thread does, too.
// FLAGS: -fno-builtin
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unordered.h"

static char *cut, *volatile to;
static int null;

__attribute__((constructor)) static void allocate(void) {
    cut = realloc(malloc(200), 121);
    to = malloc(121);
    null = open("/dev/null", O_WRONLY);
}

static void first(void) {
    write(null, cut, 121);
}

static void second(void) {
    memcpy(to, cut, 121);
    write(null, cut, 121);
}
