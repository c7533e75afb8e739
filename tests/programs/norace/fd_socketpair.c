// A pair of sockets orders the writer's past before the reader's future.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <sys/socket.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

__attribute__((constructor)) static void prepare(void) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, others) == 0);
}

static void first(void) {
    shared = 1;
    CHECK(send(ends[1], "x", 1, 0) == 1);
}

static void second(void) {
    char got;
    CHECK(recv(ends[0], &got, 1, 0) == 1);
    shared = 2;
}
