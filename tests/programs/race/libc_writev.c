// writev reads its blocks: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier read of size [0-9]+ at .* by thread T1
#include <unistd.h>
#include <sys/uio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    struct iovec blocks[2] = {{"x", 1}, {area + 16, 5}};
    writev(1, blocks, 2);
}

static void second(void) {
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[20] = 1;
}
