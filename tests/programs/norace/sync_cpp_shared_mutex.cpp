// std::shared_mutex orders what is done under it.
// LIBCXX: dynamic static
#include <mutex>
#include <shared_mutex>

#include "unordered.h"

static std::shared_mutex mutex;
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
