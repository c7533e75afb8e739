// select reads and writes its sets: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
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
    *((volatile char *)area + 128) = 1;
    *((volatile char *)area + 135) = 1;
}
