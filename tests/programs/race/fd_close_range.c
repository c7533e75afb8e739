// A range of descriptors is closed, while another thread has used one of them.
// LEVELS: O1
// REPORTS: 3
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "unordered.h"

static int files[3];

__attribute__((constructor)) static void prepare(void) {
    for (int i = 0; i < 3; i++) files[i] = open("/dev/zero", O_RDONLY);
}

static void first(void) {
    char got;
    for (int i = 0; i < 3; i++) read(files[i], &got, 1);
}

static void second(void) {
    closefrom(files[2]);
    close_range(files[1], files[1], 0);
    syscall(SYS_close_range, files[0], files[0], 0);
}
