// poll that finds a pipe ready orders.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <poll.h>
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
    struct pollfd both[2] = {{others[0], POLLIN, 0}, {ends[0], POLLIN, 0}};
    CHECK(poll(both, 2, 0) == 1);
    shared = 2;
}
