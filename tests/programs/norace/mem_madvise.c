// Pages that were given up with MADV_DONTNEED have no past.
// FLAGS: -D_GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unordered.h"

static volatile char *pages;
static int ends[2];

__attribute__((constructor)) static void allocate(void) {
    pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pipe(ends) == 0);
}

static void first(void) {
    char got;
    pages[500] = 1;
    CHECK(write(ends[1], "x", 1) == 1);
    // Who has only read them does not mind.
    got = pages[1000];
    (void)got;
}

static void second(void) {
    char got;
    CHECK(read(ends[0], &got, 1) == 1);
    madvise((void *)pages, 4096, MADV_DONTNEED);
    pages[500] = 2;
    pages[1000] = 2;
}
