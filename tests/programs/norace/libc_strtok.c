// The place that strtok goes on from, for one thread after the other.
#include "ordered.h"
#include <string.h>

static char texts[2][10] = {"a b c", "d e f"};

static void first(void) {
    if (strcmp(strtok(texts[0], " "), "a") != 0) __builtin_trap();
}
static void second(void) {
    if (strcmp(strtok(texts[1], " "), "d") != 0) __builtin_trap();
}
