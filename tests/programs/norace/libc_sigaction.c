// sigaction writes the old action, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <signal.h>

#include "unordered.h"

static struct sigaction area[3];

static void first(void) {
    sigaction(SIGUSR1, 0, &area[1]);
}

static void second(void) {
    *((volatile char *)area + 151) = 1;
    *((volatile char *)area + 304) = 1;
}
