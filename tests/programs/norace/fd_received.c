// A descriptor that came in a message leads to what was sent.
// FLAGS: -D_GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int event, other, received;

// Sends the descriptor in a message to ourselves.
static int pass(int fd) {
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    char byte = 'x';
    struct iovec block = {&byte, 1};
    struct msghdr message = {.msg_iov = &block, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    memset(&control, 0, sizeof control);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    CHECK(sendmsg(ends[0], &message, 0) == 1);
    CHECK(recvmsg(ends[1], &message, 0) == 1);
    memcpy(&fd, CMSG_DATA(&control.header), sizeof fd);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
    return fd;
}

__attribute__((constructor)) static void prepare(void) {
    event = eventfd(0, 0);
    other = eventfd(1, 0);
    received = pass(event);
}

static void first(void) {
    uint64_t one = 1;
    shared = 1;
    CHECK(write(event, &one, sizeof one) == sizeof one);
}

static void second(void) {
    uint64_t count;
    CHECK(read(received, &count, sizeof count) == sizeof count);
    shared = 2;
}
