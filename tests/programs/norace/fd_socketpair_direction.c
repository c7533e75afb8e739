// Each way of a pair of sockets orders.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2];

__attribute__((constructor)) static void prepare(void) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    // Something to read at each end, from before.
    CHECK(write(ends[0], "x", 1) == 1 && write(ends[1], "x", 1) == 1);
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
