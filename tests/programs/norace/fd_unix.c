// A named Unix socket orders the writer's past before the reader's future.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

static void connect_both(int *pair, char name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, 50, "goldilocks-%d-%c", getpid(), name);
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(listening, (struct sockaddr *)&address, sizeof address) == 0 && listen(listening, 1) == 0);
    pair[0] = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(connect(pair[0], (struct sockaddr *)&address, sizeof address) == 0);
    pair[1] = accept(listening, 0, 0);
    CHECK(pair[1] >= 0);
}

__attribute__((constructor)) static void prepare(void) {
    connect_both(ends, 'a');
    connect_both(others, 'b');
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
