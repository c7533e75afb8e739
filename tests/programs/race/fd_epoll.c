// epoll that finds another pipe ready orders nothing.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#include <sys/epoll.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];
static int epoll;

__attribute__((constructor)) static void prepare(void) {
    CHECK(pipe(ends) == 0 && pipe(others) == 0);
    epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &others};
    CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, others[0], &event) == 0);
}

static void first(void) {
    shared = 1;
    CHECK(write(ends[1], "x", 1) == 1);
}

static void second(void) {
    struct epoll_event events[2];
    CHECK(write(others[1], "x", 1) == 1);
    CHECK(epoll_wait(epoll, events, 1, 0) == 1);
    shared = 2;
}
