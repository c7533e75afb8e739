// A large block, which libc gives back to the system at once, is read after another thread has freed it: told before the read faults.
// FLAGS: -fno-builtin
// EXPECT: ^WARNING: Goldilocks: data race between access and free
// EXPECT: Earlier free
// RUN-EXIT: signal 11
#include <stdlib.h>
#include <string.h>

#include "unordered.h"

static volatile char *block;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(3 << 20);
    memset((void *)block, 1, 3 << 20);
}

static void first(void) {
    free((void *)block);
}

static void second(void) {
    (void)block[2 << 20];
}
