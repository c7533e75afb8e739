// std::recursive_mutex orders what is done under it.
#include <mutex>

#include "unordered.h"

static std::recursive_mutex mutex;
static volatile int shared;

static void first() {
    {
        std::lock_guard lock(mutex);
        shared = 1;
    }
}

static void second() {
    std::lock_guard lock(mutex);
    shared = 2;
}
