// What is passed on from a pipe into another orders nothing that came after it.
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe(ends) == 0 && pipe(others) == 0);
}

static void first(void) {
    CHECK(write(ends[1], "x", 1) == 1);
    shared = 1;
}

static void second(void) {
    char got;
    CHECK(splice(ends[0], 0, others[1], 0, 1, 0) == 1 && read(others[0], &got, 1) == 1);
    shared = 2;
}
