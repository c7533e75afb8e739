// A connection orders nothing against the way of its data.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// EXPECT: data race on `shared`
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2];

__attribute__((constructor)) static void prepare(void) {
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    CHECK(bind(listening, (struct sockaddr *)&address, length) == 0 && listen(listening, 1) == 0);
    CHECK(getsockname(listening, (struct sockaddr *)&address, &length) == 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(ends[0], (struct sockaddr *)&address, length) == 0);
    ends[1] = accept(listening, 0, 0);
    CHECK(ends[1] >= 0 && write(ends[0], "x", 1) == 1 && write(ends[1], "x", 1) == 1);
}

static void first(void) {
    shared = 1;
    CHECK(write(ends[1], "x", 1) == 1);
}

static void second(void) {
    char got;
    CHECK(read(ends[1], &got, 1) == 1);
    shared = 2;
}
