// poll writes its answers, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <poll.h>
#include <unistd.h>

#include "unordered.h"

static struct pollfd area[3];

static void first(void) {
    int ends[2];
    if (pipe(ends)) return;
    area[1].fd = ends[1];
    area[1].events = POLLOUT;
    poll(&area[1], 1, 0);
}

static void second(void) {
    *((volatile char *)area + 7) = 1;
    *((volatile char *)area + 16) = 1;
}
