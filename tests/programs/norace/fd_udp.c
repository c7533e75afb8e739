// A datagram orders the writer's past before the reader's future.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int receiving[2];
static struct sockaddr_in addresses[2];

static void receive_at(int which) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_ANY)}};
    socklen_t length = sizeof address;
    receiving[which] = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK(bind(receiving[which], (struct sockaddr *)&address, length) == 0);
    CHECK(getsockname(receiving[which], (struct sockaddr *)&addresses[which], &length) == 0);
    addresses[which].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

static void send_to(int which) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK(sendto(fd, "x", 1, 0, (struct sockaddr *)&addresses[which], sizeof addresses[which]) == 1);
}

__attribute__((constructor)) static void prepare(void) {
    receive_at(0);
    receive_at(1);
}

static void first(void) {
    shared = 1;
    send_to(0);
}

static void second(void) {
    char got;
    CHECK(recv(receiving[0], &got, 1, 0) == 1);
    shared = 2;
}
