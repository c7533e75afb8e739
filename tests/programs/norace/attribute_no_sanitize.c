// The accesses of a function with the attribute have not happened.
// FLAGS: -fno-inline
#include "unordered.h"

int value;

static void add(void) {
    value++;
}

__attribute__((no_sanitize("thread"))) static void first(void) {
    value++;
}

static void second(void) {
    add();
}
