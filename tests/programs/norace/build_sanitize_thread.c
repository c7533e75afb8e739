// A build that asks for ThreadSanitizer gets Goldilocks.
// FLAGS: -fsanitize=thread
#include "ordered.h"

int value;

static void first(void) {
    value = 1;
}
static void second(void) {
    value = 2;
}
