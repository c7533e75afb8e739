// The break goes back below what another thread has written.
// FLAGS: -D_GNU_SOURCE
#include <unistd.h>

#include "unordered.h"

static volatile char *end;

__attribute__((constructor)) static void allocate(void) {
    end = sbrk(8192);
}

static void first(void) {
    end[5000] = 1;
}

static void second(void) {
    brk((void *)(end + 4096));
}
