// try_lock orders when it gets the std::mutex.
#include <chrono>
#include <mutex>

#include "check.h"
#include "unordered.h"

static std::mutex mutex;
static volatile int shared;

static void first() {
    mutex.lock();
    shared = 1;
    mutex.unlock();
}

static void second() {
    CHECK(mutex.try_lock());
    shared = 2;
    mutex.unlock();
}
