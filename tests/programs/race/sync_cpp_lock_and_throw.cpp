// What is done after an exception has released the lock is not ordered by it.
#include <mutex>
#include <stdexcept>

#include "unordered.h"

static std::mutex mutex;
static volatile int shared;

static void throws_under_lock() {
    std::lock_guard lock(mutex);
    throw std::runtime_error("expected");
}

static void first() {
    try {
        throws_under_lock();
    } catch (const std::runtime_error &) {
        shared = 1;
    }
}

static void second() {
    std::lock_guard lock(mutex);
    shared = 2;
}
