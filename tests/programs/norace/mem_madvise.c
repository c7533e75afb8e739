// Pages that were given up with MADV_DONTNEED have no past.
// FLAGS: -D_GNU_SOURCE
#include <sys/mman.h>

#include "unordered.h"

static volatile char *pages;

__attribute__((constructor)) static void allocate(void) {
    pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void first(void) {
    pages[500] = 1;
}

static void second(void) {
    madvise((void *)pages, 4096, MADV_DONTNEED);
    pages[500] = 2;
}
