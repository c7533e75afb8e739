// The break goes forth again over what another thread had.
// FLAGS: -D_GNU_SOURCE
#include <unistd.h>

#include "unordered.h"

static volatile char *end;

__attribute__((constructor)) static void allocate(void) {
    end = sbrk(8192);
}

static void first(void) {
    end[5000] = 1;
    brk((void *)(end + 4096));
}

static void second(void) {
    char *more = sbrk(4096);
    *(volatile char *)(more + 904) = 2;
}
