// A record lock of the open file orders.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile int shared;
static int files[2], again;

__attribute__((constructor)) static void prepare(void) {
    files[0] = memfd_create("one", 0);
    files[1] = memfd_create("other", 0);
    char path[50];
    snprintf(path, sizeof path, "/proc/self/fd/%d", files[0]);
    again = open(path, O_RDWR);
    CHECK(again >= 0);
}

static void first(void) {
    shared = 1;
    struct flock lock = {.l_type = F_WRLCK};
    CHECK(fcntl(files[0], F_OFD_SETLKW, &lock) == 0);
    lock.l_type = F_UNLCK;
    CHECK(fcntl(files[0], F_OFD_SETLK, &lock) == 0);
}

static void second(void) {
    struct flock lock = {.l_type = F_WRLCK};
    CHECK(fcntl(again, F_OFD_SETLKW, &lock) == 0);
    shared = 2;
}
