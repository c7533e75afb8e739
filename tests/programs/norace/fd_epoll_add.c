// Adding to an epoll comes before what it tells.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <sys/epoll.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];
static int epoll;

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe(ends) == 0 && pipe(others) == 0);
    CHECK(write(ends[1], "x", 1) == 1 && write(others[1], "x", 1) == 1);
    epoll = epoll_create1(0);
}

static void first(void) {
    shared = 1;
    struct epoll_event event = {.events = EPOLLIN};
    CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
}

static void second(void) {
    struct epoll_event event;
    CHECK(epoll_wait(epoll, &event, 1, 0) == 1);
    shared = 2;
}
