// recv writes what it has received: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <sys/socket.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
    send(ends[0], "abc", 3, 0);
    recv(ends[1], area + 16, 30, 0);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[18] = 1;
}
