// What realloc has copied to a new block is read by another thread.
// FLAGS: -fno-builtin
// EXPECT: Read of size 1 at
// EXPECT: Earlier write of size 1 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;
// Where it is now; the address itself is nobody's race.
static _Atomic(volatile char *) grown;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
    block[63] = 1;
}

static void first(void) {
    __c11_atomic_store(&grown, realloc((void *)block, 100000), __ATOMIC_RELAXED);
}

static void second(void) {
    (void)__c11_atomic_load(&grown, __ATOMIC_RELAXED)[63];
}
