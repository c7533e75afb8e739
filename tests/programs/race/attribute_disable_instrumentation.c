// The attribute is of the function that has it.
// EXPECT: data race on `value`
#include "unordered.h"

int value;

static void first(void) {
    value++;
}

__attribute__((disable_sanitizer_instrumentation, unused)) static void third(void) {
    value++;
}

static void second(void) {
    value++;
}
