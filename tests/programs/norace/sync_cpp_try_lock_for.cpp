// try_lock_for orders when it gets the std::timed_mutex.
#include <chrono>
#include <mutex>

#include "check.h"
#include "unordered.h"

static std::timed_mutex mutex;
static volatile int shared;

static void first() {
    mutex.lock();
    shared = 1;
    mutex.unlock();
}

static void second() {
    CHECK(mutex.try_lock_for(std::chrono::milliseconds(20)));
    shared = 2;
    mutex.unlock();
}
