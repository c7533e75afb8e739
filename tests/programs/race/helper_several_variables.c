// What a helper does to several variables are several races: two globals, and two blocks.
// REPORTS: 4
// EXPECT: data race on `one`
// EXPECT: data race on `other`
// EXPECT: Location: 4 bytes at offset 0 of a 64-byte block
#include <stdlib.h>

#include "unordered.h"

static int one, other, *block, *another;

__attribute__((constructor)) static void allocate(void) {
    block = malloc(64);
    another = malloc(64);
}

__attribute__((noinline)) static void set(int *variable, int value) {
    *variable = value;
}

__attribute__((noinline)) static void set_through(int *variable, int value) {
    set(variable, value);
    __asm__ volatile("");
}

__attribute__((noinline)) static void all(int value) {
    set(&one, value);
    set(&other, value);
    set_through(block, value);
    set_through(another, value);
}

static void first(void) {
    all(1);
}

static void second(void) {
    all(2);
}
