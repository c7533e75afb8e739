// Two threads with a std::shared_lock are not ordered by it.
// LIBCXX: dynamic static
#include <mutex>
#include <shared_mutex>

#include "unordered.h"

static std::shared_mutex mutex;
static volatile int shared;

static void first() {
    std::shared_lock lock(mutex);
    shared = 1;
}

static void second() {
    std::shared_lock lock(mutex);
    shared = 2;
}
