// A program without debug information.
// FLAGS: -g0 -fomit-frame-pointer
#include "ordered.h"

int value;

static void first(void) {
    value = 1;
}
static void second(void) {
    value = 2;
}
