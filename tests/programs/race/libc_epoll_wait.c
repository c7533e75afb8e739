// epoll_wait writes its events: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <sys/epoll.h>
#include <unistd.h>

#include "unordered.h"

static struct epoll_event area[3];

static void first(void) {
    int ends[2];
    if (pipe(ends)) return;
    struct epoll_event event = {.events = EPOLLOUT};
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[1], &event);
    epoll_wait(epoll, &area[1], 1, 0);
}

static void second(void) {
    *((volatile char *)area + 12) = 1;
    *((volatile char *)area + 23) = 1;
}
