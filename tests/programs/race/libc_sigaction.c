// sigaction writes the old action: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <signal.h>

#include "unordered.h"

static struct sigaction area[3];

static void first(void) {
    sigaction(SIGUSR1, 0, &area[1]);
}

static void second(void) {
    *((volatile char *)area + 152) = 1;
    *((volatile char *)area + 303) = 1;
}
