// sigprocmask reads the new mask: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <signal.h>

#include "unordered.h"

static sigset_t area[3];

static void first(void) {
    sigprocmask(SIG_BLOCK, &area[1], 0);
}

static void second(void) {
    *((volatile char *)area + 128) = 1;
    *((volatile char *)area + 255) = 1;
}
