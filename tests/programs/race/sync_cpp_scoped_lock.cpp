// std::scoped_lock of other mutexes orders nothing.
#include <mutex>

#include "unordered.h"

static std::mutex one, two, three, four;
static volatile int shared;

static void first() {
    std::scoped_lock lock(one, two);
    shared = 1;
}

static void second() {
    std::scoped_lock lock(three, four);
    shared = 2;
}
