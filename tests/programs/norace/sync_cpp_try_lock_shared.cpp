// try_lock_shared orders when it gets the std::shared_mutex.
// LIBCXX: dynamic static
#include <chrono>
#include <mutex>
#include <shared_mutex>

#include "check.h"
#include "unordered.h"

static std::shared_mutex mutex;
static volatile int shared, sink;

static void first() {
    mutex.lock();
    shared = 1;
    mutex.unlock();
}

static void second() {
    CHECK(mutex.try_lock_shared());
    sink = shared;
    mutex.unlock_shared();
}
