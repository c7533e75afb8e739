// recvmsg writes what it has received, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <sys/socket.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
    send(ends[0], "abc", 3, 0);
    struct iovec block = {area + 16, 30};
    struct msghdr message = {.msg_iov = &block, .msg_iovlen = 1};
    recvmsg(ends[1], &message, 0);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[19] = 1;
}
