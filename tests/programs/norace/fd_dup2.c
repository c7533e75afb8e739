// dup2 makes a number mean another pipe.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe(ends) == 0 && pipe(others) == 0);
    CHECK(dup2(ends[0], others[0]) == others[0]);
}

static void first(void) {
    shared = 1;
    CHECK(write(ends[1], "x", 1) == 1);
}

static void second(void) {
    char got;
    CHECK(read(others[0], &got, 1) == 1);
    shared = 2;
}
