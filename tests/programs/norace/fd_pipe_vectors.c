// writev and readv on a pipe orders the writer's past before the reader's future.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
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
    CHECK(readv(ends[0], &block, 1) == 1);
    shared = 2;
}
