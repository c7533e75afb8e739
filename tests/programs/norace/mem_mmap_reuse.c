// A mapping at the addresses of one that another thread has used has no past.
// FLAGS: -D_GNU_SOURCE
#include <sys/mman.h>

#include "unordered.h"

static volatile char *pages;

__attribute__((constructor)) static void allocate(void) {
    pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void first(void) {
    pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages[100] = 1;
    munmap((void *)pages, 8192);
}

static void second(void) {
    volatile char *again = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 8192; i++) again[i] = 2;
}
