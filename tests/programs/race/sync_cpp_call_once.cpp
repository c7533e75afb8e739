// What was initialized by std::call_once is used without the call.
// LIBCXX: dynamic static
#include <mutex>

#include "unordered.h"

static std::once_flag once;
static volatile int shared;

static void first() {
    std::call_once(once, [] { shared = 1; });
}

static void second() {
    shared = 2;
}
