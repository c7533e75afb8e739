// std::mutex does not order what is done after its unlock.
#include <mutex>

#include "unordered.h"

static std::mutex mutex;
static volatile int shared;

static void first() {
    {
        std::lock_guard lock(mutex);
    }
    shared = 1;
}

static void second() {
    std::lock_guard lock(mutex);
    shared = 2;
}
