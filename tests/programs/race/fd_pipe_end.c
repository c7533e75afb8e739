// Closing one pipe orders nothing for who sees the end of another.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
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
    CHECK(close(ends[1]) == 0);
}

static void second(void) {
    char got;
    CHECK(close(others[1]) == 0 && read(others[0], &got, 1) == 0);
    shared = 2;
}
