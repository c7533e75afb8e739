// Every std::call_once comes after the initialization.
// LIBCXX: dynamic static
#include <mutex>

#include "unordered.h"

static std::once_flag once;
static volatile int shared;

static void first() {
    std::call_once(once, [] { shared = 1; });
}

static void second() {
    std::call_once(once, [] { shared = 3; });
    shared = 2;
}
