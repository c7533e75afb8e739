// A lock of one file orders nothing for who locks another.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
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
    again = open(path, O_RDONLY);
    CHECK(again >= 0);
}

static void first(void) {
    shared = 1;
    CHECK(flock(files[0], LOCK_EX) == 0);
    CHECK(flock(files[0], LOCK_UN) == 0);
}

static void second(void) {
    CHECK(flock(files[1], LOCK_EX) == 0);
    shared = 2;
}
