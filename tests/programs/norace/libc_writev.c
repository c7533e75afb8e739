// writev reads its blocks, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>
#include <sys/uio.h>

#include "unordered.h"

static char area[200] = "................hello\0..........";

static void first(void) {
    struct iovec blocks[2] = {{"x", 1}, {area + 16, 5}};
    writev(1, blocks, 2);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[21] = 1;
}
