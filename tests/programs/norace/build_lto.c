// Optimization of the whole program at once.
// FLAGS: -flto -fuse-ld=lld
#include "ordered.h"

int value;

static void first(void) {
    value = 1;
}
static void second(void) {
    value = 2;
}
