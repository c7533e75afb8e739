// flockfile orders.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;


static void first(void) {
    shared = 1;
    flockfile(stdout);
    funlockfile(stdout);
}

static void second(void) {
    flockfile(stdout);
    funlockfile(stdout);
    shared = 2;
}
