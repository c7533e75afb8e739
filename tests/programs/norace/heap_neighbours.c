// Two threads use every second of small blocks that lie side by side.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static volatile char *blocks[100];

__attribute__((constructor)) static void allocate(void) {
    for (int i = 0; i < 100; i++) blocks[i] = malloc(24);
}

static void first(void) {
    for (int i = 0; i < 100; i += 2)
        for (int at = 0; at < 24; at++) blocks[i][at] = 1;
}

static void second(void) {
    for (int i = 1; i < 100; i += 2)
        for (int at = 0; at < 24; at++) blocks[i][at] = 1;
    for (int i = 1; i < 100; i += 2) free((void *)blocks[i]);
}
