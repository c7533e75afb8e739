// The attribute takes accesses of one function away, not those of what it calls.
// FLAGS: -fno-inline
// EXPECT: data race on `value`
#include "unordered.h"

int value;

static void add(void) {
    value++;
}

static void (*volatile other)(void) = add;
__attribute__((no_sanitize("thread"))) static void first(void) {
    other();
}

static void second(void) {
    add();
}
