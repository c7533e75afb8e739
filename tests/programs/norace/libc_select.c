// select reads and writes its sets, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <sys/select.h>
#include <unistd.h>

#include "unordered.h"

static fd_set area[3];

static void first(void) {
    int ends[2];
    struct timeval none = {0, 0};
    if (pipe(ends)) return;
    select(ends[1] + 1, &area[1], 0, 0, &none);
}

static void second(void) {
    *((volatile char *)area + 127) = 1;
    *((volatile char *)area + 136) = 1;
}
