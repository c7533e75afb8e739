// Who reads on to the end of the data comes after what was done before the closing.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2];

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe(ends) == 0);
}

static void first(void) {
    CHECK(write(ends[1], "x", 1) == 1);
    shared = 1;
    CHECK(close(ends[1]) == 0);
}

static void second(void) {
    char got;
    CHECK(read(ends[0], &got, 1) == 1);
    CHECK(read(ends[0], &got, 1) == 0);
    shared = 2;
}
