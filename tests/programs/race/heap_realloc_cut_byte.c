// A block from which realloc cuts one byte is freed by another thread, unordered: the race is of its bytes, not of the rest of
// their word.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 5 at
// REJECT: of size [78]
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;
static _Atomic(volatile char *) kept;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(6);
}

static void first(void) {
    __c11_atomic_store(&kept, realloc((void *)block, 5), __ATOMIC_RELAXED);
}

static void second(void) {
    free((void *)__c11_atomic_load(&kept, __ATOMIC_RELAXED));
}
