// A function with the attribute is not looked at.
#include "unordered.h"

int value;

__attribute__((disable_sanitizer_instrumentation))
static void first(void) {
    value++;
}


static void second(void) {
    value++;
}
