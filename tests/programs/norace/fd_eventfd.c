// An eventfd orders the writer's past before the reader's future.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <sys/eventfd.h>
#include <stdint.h>
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
    uint64_t one = 1;
    CHECK(write(ends[0], &one, 8) == 8);
}

static void second(void) {
    uint64_t got;
    CHECK(read(ends[0], &got, 8) == 8);
    shared = 2;
}
