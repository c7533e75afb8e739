// A fixed mapping over a page that another thread has used has no past.
// FLAGS: -D_GNU_SOURCE
#include <sys/mman.h>

#include "unordered.h"

static volatile char *pages;

__attribute__((constructor)) static void allocate(void) {
    pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void first(void) {
    pages[4095] = 1;
}

static void second(void) {
    mmap((void *)pages, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    pages[4095] = 2;
}
