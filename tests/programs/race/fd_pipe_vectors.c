// writev and readv on a pipe orders nothing for who reads another one.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#include <sys/uio.h>
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
    struct iovec block = {"x", 1};
    CHECK(writev(ends[1], &block, 1) == 1);
}

static void second(void) {
    char got;
    struct iovec block = {&got, 1};
    CHECK(write(others[1], "x", 1) == 1 && readv(others[0], &block, 1) == 1);
    shared = 2;
}
