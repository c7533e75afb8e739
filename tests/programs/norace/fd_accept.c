// Asking for a connection comes before its acceptance.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int listening[2];
static struct sockaddr_in addresses[2];

static void listen_at(int which) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    listening[which] = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listening[which], (struct sockaddr *)&address, length) == 0 && listen(listening[which], 1) == 0);
    CHECK(getsockname(listening[which], (struct sockaddr *)&addresses[which], &length) == 0);
}

static void connect_to(int which) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(fd, (struct sockaddr *)&addresses[which], sizeof addresses[which]) == 0);
}

__attribute__((constructor)) static void prepare(void) {
    listen_at(0);
    listen_at(1);
}

static void first(void) {
    shared = 1;
    connect_to(0);
}

static void second(void) {
    CHECK(accept(listening[0], 0, 0) >= 0);
    shared = 2;
}
