// flockfile of one stream orders nothing for who locks another.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
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
    flockfile(stderr);
    funlockfile(stderr);
    shared = 2;
}
