// poll writes its answers: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
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
    *((volatile char *)area + 14) = 1;
    *((volatile char *)area + 15) = 1;
}
