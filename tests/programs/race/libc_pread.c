// pread writes what it has read: another thread uses the first and the last byte of it.
// FLAGS: -fno-builtin -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 2
// EXPECT: Earlier write of size [0-9]+ at .* by thread T1
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
    *(volatile char *)&area[16] = 1;
    *(volatile char *)&area[22] = 1;
}
