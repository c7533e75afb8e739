// A file, opened twice, orders nothing for who reads another one.
// FLAGS: -D_GNU_SOURCE
// LEVELS: O1
// REPORTS: 1
// EXPECT: data race on `shared`
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
    again = open(path, O_RDONLY);
    CHECK(again >= 0);
}

static void first(void) {
    shared = 1;
    CHECK(write(files[0], "x", 1) == 1);
}

static void second(void) {
    char got;
    CHECK(write(files[1], "x", 1) == 1 && pread(files[1], &got, 1, 0) == 1);
    shared = 2;
}
