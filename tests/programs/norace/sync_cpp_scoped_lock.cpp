// std::scoped_lock of several mutexes orders by each of them.
#include <mutex>

#include "unordered.h"

static std::mutex one, two, three;
static volatile int shared;

static void first() {
    std::scoped_lock lock(one, two);
    shared = 1;
}

static void second() {
    std::scoped_lock lock(three, two);
    shared = 2;
}
