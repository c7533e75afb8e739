// Without the locks that a function with the attribute takes there is no order.
// EXPECT: data race on `value`
#include "unordered.h"

int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((no_sanitize("thread"), noinline)) static void enter(void) {
}
__attribute__((no_sanitize("thread"), noinline)) static void leave(void) {
}

static void work(void) {
    (void)lock;
    enter();
    value++;
    leave();
}
static void first(void) {
    work();
}
static void second(void) {
    work();
}
