// sendmsg reads its blocks, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <sys/socket.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
    struct iovec block = {area + 16, 5};
    struct msghdr message = {.msg_iov = &block, .msg_iovlen = 1};
    sendmsg(ends[0], &message, 0);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[21] = 1;
}
