// A lock that is released by an exception orders.
#include <mutex>
#include <stdexcept>

#include "unordered.h"

static std::mutex mutex;
static volatile int shared;

static void throws_under_lock() {
    std::lock_guard lock(mutex);
    shared = 1;
    throw std::runtime_error("expected");
}

static void first() {
    try {
        throws_under_lock();
    } catch (const std::runtime_error &) {
    }
}

static void second() {
    std::lock_guard lock(mutex);
    shared = 2;
}
