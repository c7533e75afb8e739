// A duplicate of a pipe's end orders the writer's past before the reader's future.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];
static int copy;

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe(ends) == 0 && pipe(others) == 0);
    copy = dup(ends[1]);
    CHECK(copy >= 0);
}

static void first(void) {
    shared = 1;
    CHECK(write(copy, "x", 1) == 1);
}

static void second(void) {
    char got;
    CHECK(read(ends[0], &got, 1) == 1);
    shared = 2;
}
