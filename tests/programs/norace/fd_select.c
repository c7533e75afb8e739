// select that finds a pipe ready orders.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <sys/select.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe(ends) == 0 && pipe(others) == 0);
}

static void first(void) {
    shared = 1;
    CHECK(write(ends[1], "x", 1) == 1);
}

static void second(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    FD_SET(others[0], &set);
    CHECK(select(others[1] + 1, &set, 0, 0, 0) == 1);
    shared = 2;
}
