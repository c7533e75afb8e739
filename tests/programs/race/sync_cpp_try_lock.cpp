// try_lock orders nothing when it fails.
#include <chrono>
#include <mutex>

#include "check.h"
#include "unordered.h"

static std::mutex mutex;
static volatile int shared;

static void first() {
    mutex.lock();
    shared = 1;
}

static void second() {
    CHECK(!mutex.try_lock());
    shared = 2;
}
