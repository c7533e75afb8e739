// A variable is written, then a mutex is unlocked by a function of another name.
// LEVELS: O0 O1 O2 O3
#include "unordered.h"

static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int sink, unlocked;

__attribute__((noinline)) static int unlock_in_depth(int depth) {
    if (depth) return unlock_in_depth(depth - 1) + 1;
    pthread_mutex_lock(&mutex);
    return pthread_mutex_unlock(&mutex);
}

static void first(void) {
    shared = 1;
    unlocked = unlock_in_depth(3);
}

static void second(void) {
    pthread_mutex_lock(&mutex);
    sink = shared;
    pthread_mutex_unlock(&mutex);
}
