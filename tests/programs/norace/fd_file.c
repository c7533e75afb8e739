// A file, opened twice, orders the writer's past before the reader's future.
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
    again = open(path, O_RDONLY);
    CHECK(again >= 0);
}

static void first(void) {
    shared = 1;
    CHECK(write(files[0], "x", 1) == 1);
}

static void second(void) {
    char got;
    CHECK(read(again, &got, 1) == 1);
    shared = 2;
}
