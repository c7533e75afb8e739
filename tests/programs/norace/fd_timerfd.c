// Setting a timer comes before its expiry.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

__attribute__((constructor)) static void prepare(void) {
    ends[0] = timerfd_create(CLOCK_MONOTONIC, 0);
    others[0] = timerfd_create(CLOCK_MONOTONIC, 0);
}

static void first(void) {
    shared = 1;
    struct itimerspec soon = {{0, 0}, {0, 1}};
    CHECK(timerfd_settime(ends[0], 0, &soon, 0) == 0);
}

static void second(void) {
    uint64_t got;
    CHECK(read(ends[0], &got, 8) == 8);
    shared = 2;
}
