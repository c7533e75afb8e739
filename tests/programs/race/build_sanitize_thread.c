// A build that asks for ThreadSanitizer gets Goldilocks.
// FLAGS: -fsanitize=thread
// EXPECT: WARNING: Goldilocks: data race on `value`
#include "unordered.h"

#if !__has_feature(thread_sanitizer)
#error "not marked"
#endif

int value;

static void first(void) {
    value = 1;
}
static void second(void) {
    value = 2;
}
