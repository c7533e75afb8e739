// try_lock_shared_for orders when it gets the std::shared_timed_mutex.
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
    mutex.unlock();
}

static void second() {
    CHECK(mutex.try_lock_shared_for(std::chrono::milliseconds(20)));
    sink = shared;
    mutex.unlock_shared();
}
