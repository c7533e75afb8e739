// try_lock_until orders nothing when it fails.
#include <chrono>
#include <mutex>

#include "check.h"
#include "unordered.h"

static std::timed_mutex mutex;
static volatile int shared;

static void first() {
    mutex.lock();
    shared = 1;
}

static void second() {
    CHECK(!mutex.try_lock_until(std::chrono::system_clock::now() + std::chrono::milliseconds(20)));
    shared = 2;
}
