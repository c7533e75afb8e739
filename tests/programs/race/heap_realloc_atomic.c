// An atomic in a block that realloc leaves where it is, is another one from then on, as it is where the block moves: who acquires it is not
// ordered after what was released by the old one.
// FLAGS: -fno-builtin
// EXPECT: data race on `counted`
#include <stdlib.h>

#include "unordered.h"

typedef _Atomic(long) Flag;

static Flag *flag;
static _Atomic(Flag *) kept;
static volatile long counted;

__attribute__((constructor)) static void allocate(void) {
    flag = malloc(64);
    __c11_atomic_store(flag, 0, __ATOMIC_RELAXED);
}

static void first(void) {
    counted = 1;
    __c11_atomic_store(flag, 1, __ATOMIC_RELEASE);
    __c11_atomic_store(&kept, realloc((void *)flag, 24), __ATOMIC_RELAXED);
}

static void second(void) {
    while (!__c11_atomic_load(__c11_atomic_load(&kept, __ATOMIC_RELAXED), __ATOMIC_ACQUIRE)) {
    }
    counted = 2;
}
