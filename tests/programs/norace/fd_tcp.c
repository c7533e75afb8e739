// A connection over the loopback interface orders the writer's past before the reader's future.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

static void connect_both(int *pair) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listening, (struct sockaddr *)&address, length) == 0 && listen(listening, 1) == 0);
    CHECK(getsockname(listening, (struct sockaddr *)&address, &length) == 0);
    pair[0] = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(pair[0], (struct sockaddr *)&address, length) == 0);
    pair[1] = accept(listening, 0, 0);
    CHECK(pair[1] >= 0);
}

__attribute__((constructor)) static void prepare(void) {
    connect_both(ends);
    connect_both(others);
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
