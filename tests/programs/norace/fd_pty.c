// A pseudoterminal orders, from each of its ends to the other, and by the echo from the main end to itself.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <pty.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared[3];
static int main_end[3], other_end[3];

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 3; i++) CHECK(openpty(&main_end[i], &other_end[i], 0, 0, 0) == 0);
}

static void first(void) {
    shared[0] = 1;
    CHECK(write(main_end[0], "x\n", 2) == 2);
    shared[1] = 1;
    CHECK(write(other_end[1], "x", 1) == 1);
    shared[2] = 1;
    CHECK(write(main_end[2], "x", 1) == 1);
}

static void second(void) {
    char got[8];
    CHECK(read(other_end[0], got, 8) == 2);
    shared[0] = 2;
    CHECK(read(main_end[1], got, 8) == 1);
    shared[1] = 2;
    CHECK(read(main_end[2], got, 8) == 1);
    shared[2] = 2;
}
