// readv writes as much of its blocks as it has read: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
#include <unistd.h>
#include <sys/uio.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    int ends[2];
    char start[2];
    if (pipe(ends)) return;
    write(ends[1], "abcdef", 6);
    struct iovec blocks[2] = {{start, 2}, {area + 16, 30}};
    readv(ends[0], blocks, 2);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[19] = 1;
}
