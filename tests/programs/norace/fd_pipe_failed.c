// A read that found something orders.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe2(ends, O_NONBLOCK) == 0 && pipe2(others, O_NONBLOCK) == 0);
}

static void first(void) {
    shared = 1;
    CHECK(write(ends[1], "x", 1) == 1);
}

static void second(void) {
    char got;
    CHECK(read(ends[0], &got, 1) == 1);
    shared = 2;
}
