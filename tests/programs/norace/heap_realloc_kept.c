// What realloc has cut off and given back has no past.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "ordered.h"

static volatile char *block;

static void first(void) {
    block = malloc(50);
    block[40] = 1;
}

static void second(void) {
    block = realloc((void *)block, 20);
    block = realloc((void *)block, 50);
    block[40] = 2;
}
