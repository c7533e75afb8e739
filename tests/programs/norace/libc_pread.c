// pread writes what it has read, and nothing beside: another thread uses the bytes around it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
#include <unistd.h>
#include <fcntl.h>

#include "unordered.h"

static char area[64];

static void first(void) {
    int fd = open("/proc/self/exe", O_RDONLY);
    pread(fd, area + 16, 7, 1);
    close(fd);
}

static void second(void) {
    *(volatile char *)&area[15] = 1;
    *(volatile char *)&area[23] = 1;
}
