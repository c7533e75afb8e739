// A writer comes after the readers of a std::shared_mutex.
// LIBCXX: dynamic static
#include <mutex>
#include <shared_mutex>

#include "unordered.h"

static std::shared_mutex mutex;
static volatile int shared, sink;

static void first() {
    std::shared_lock lock(mutex);
    sink = shared;
}

static void second() {
    std::unique_lock lock(mutex);
    shared = 2;
}
