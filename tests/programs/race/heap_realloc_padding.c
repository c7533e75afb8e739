// A block that realloc has cut is freed by another thread, unordered: the race is of its bytes, not of what was cut off.
// FLAGS: -fno-builtin
// EXPECT: Earlier write of size 4 at
#include <stdlib.h>

#include "unordered.h"

static volatile char *block;
static _Atomic(volatile char *) cut;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(16);
}

static void first(void) {
    __c11_atomic_store(&cut, realloc((void *)block, 4), __ATOMIC_RELAXED);
}

static void second(void) {
    free((void *)__c11_atomic_load(&cut, __ATOMIC_RELAXED));
}
