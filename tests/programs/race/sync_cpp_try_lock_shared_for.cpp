// try_lock_shared_for orders nothing when it fails.
// LIBCXX: dynamic static
#include <chrono>
#include <mutex>
#include <shared_mutex>

#include "check.h"
#include "unordered.h"

static std::shared_timed_mutex mutex;
static volatile int shared, sink;

static void first() {
    mutex.lock();
    shared = 1;
}

static void second() {
    CHECK(!mutex.try_lock_shared_for(std::chrono::milliseconds(20)));
    sink = shared;
}
