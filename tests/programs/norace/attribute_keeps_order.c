// What a function with the attribute locks is locked: calls are seen, its own accesses are not.
#include "unordered.h"

int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((no_sanitize("thread"), noinline)) static void enter(void) {
    pthread_mutex_lock(&lock);
}
__attribute__((no_sanitize("thread"), noinline)) static void leave(void) {
    pthread_mutex_unlock(&lock);
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
