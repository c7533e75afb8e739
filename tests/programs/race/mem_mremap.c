// A mapping that shrinks in place gives up what another thread has written.
// FLAGS: -D_GNU_SOURCE
#include <sys/mman.h>

#include "unordered.h"

static volatile char *pages;

__attribute__((constructor)) static void allocate(void) {
    pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void first(void) {
    pages[4096] = 1;
}

static void second(void) {
    mremap((void *)pages, 8192, 4096, 0);
}
