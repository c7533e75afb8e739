// A large block that libc keeps is read after another thread has freed it.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// EXPECT: Earlier free
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "unordered.h"

static volatile char *block, *last;

__attribute__((constructor)) static void allocate(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    block = malloc(3 << 20);
    last = malloc(100);
    memset((void *)block, 1, 3 << 20);
}

static void first(void) {
    free((void *)block);
}

static void second(void) {
    (void)block[2 << 20];
}
