// An eventfd by its own calls orders nothing for who reads another one.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#include <sys/eventfd.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int ends[2], others[2];

__attribute__((constructor)) static void prepare(void) {
    ends[0] = eventfd(0, 0);
    others[0] = eventfd(0, 0);
}

static void first(void) {
    shared = 1;
    CHECK(eventfd_write(ends[0], 1) == 0);
}

static void second(void) {
    eventfd_t got;
    CHECK(eventfd_write(others[0], 1) == 0 && eventfd_read(others[0], &got) == 0);
    shared = 2;
}
