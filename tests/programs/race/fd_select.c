// select that finds another pipe ready orders nothing.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
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
    FD_SET(others[0], &set);
    CHECK(write(others[1], "x", 1) == 1);
    CHECK(select(others[1] + 1, &set, 0, 0, 0) == 1);
    shared = 2;
}
