// A block of posix_memalign is freed, while another thread has written the last byte of another.
// FLAGS: -fno-builtin
#include <stdlib.h>

#include "unordered.h"

static char *block, *other;

__attribute__((constructor)) static void allocate(void) {
    if (posix_memalign((void **)&block, 1024, 100) || posix_memalign((void **)&other, 1024, 100)) abort();
}

static void first(void) {
    *(volatile char *)&other[99] = 1;
}

static void second(void) {
    free(block);
}
