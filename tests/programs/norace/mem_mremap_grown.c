// A mapping that may move but finds room where it is keeps what another thread has written.
// FLAGS: -D_GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "check.h"
#include "unordered.h"

enum { PAGE = 4096 };

static volatile char *pages;

__attribute__((constructor)) static void allocate(void) {
    pages = mmap(0, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(munmap((void *)(pages + PAGE), 63 * PAGE) == 0);
}

static void first(void) {
    pages[8] = 1;
}

static void second(void) {
    errno = 0;
    CHECK(mremap((void *)pages, PAGE, 64 * PAGE, MREMAP_MAYMOVE) == (void *)pages);
    CHECK(errno == 0);
    pages[10 * PAGE] = 2;
}
