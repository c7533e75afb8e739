// A mapping that moves gives up its place, and what is at the place where it goes: another thread has written both.
// FLAGS: -D_GNU_SOURCE
// OPTIONS: report_once=0
// REPORTS: 3
#include <sys/mman.h>

#include "check.h"
#include "unordered.h"

enum { PAGE = 4096 };

static volatile char *pages, *places;

__attribute__((constructor)) static void allocate(void) {
    pages = mmap(0, 9 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    places = mmap(0, 9 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void first(void) {
    pages[8] = 1;
    pages[3 * PAGE + 8] = 1;
    places[5 * PAGE + 8] = 1;
}

static void second(void) {
    void *there = (void *)places;
    CHECK(mremap((void *)pages, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, there) == there);
    // The pages behind it are taken.
    void *grown = (void *)(pages + 3 * PAGE);
    CHECK(mremap(grown, PAGE, 64 * PAGE, MREMAP_MAYMOVE) != grown);
    void *over = (void *)(places + 5 * PAGE);
    CHECK(mremap((void *)(pages + 6 * PAGE), PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, over) == over);
}
