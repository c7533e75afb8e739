// sigprocmask reads the new mask, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <signal.h>

#include "unordered.h"

static sigset_t area[3];

static void first(void) {
    sigprocmask(SIG_BLOCK, &area[1], 0);
}

static void second(void) {
    *((volatile char *)area + 127) = 1;
    *((volatile char *)area + 256) = 1;
}
