// What is written to one pseudoterminal orders nothing for who reads another, nor for who reads what went the other way.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: data race on `other_number`
// EXPECT: data race on `other_way`
#include <pty.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int other_number, other_way;
static int main_end[3], other_end[3];

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 3; i++) CHECK(openpty(&main_end[i], &other_end[i], 0, 0, 0) == 0);
    CHECK(write(main_end[1], "x\n", 2) == 2 && write(main_end[2], "x\n", 2) == 2);
}

static void first(void) {
    other_number = 1;
    CHECK(write(main_end[0], "x\n", 2) == 2);
    other_way = 1;
    CHECK(write(other_end[2], "x", 1) == 1);
}

static void second(void) {
    char got[8];
    CHECK(read(other_end[1], got, 8) == 2);
    other_number = 2;
    CHECK(read(other_end[2], got, 8) == 2);
    other_way = 2;
}
