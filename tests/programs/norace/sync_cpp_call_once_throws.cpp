// An initialization that throws is repeated, and orders when it succeeds.
// LIBCXX: dynamic static
#include <mutex>
#include <stdexcept>

#include "check.h"
#include "unordered.h"

static std::once_flag once;
static volatile int shared;

static void first() {
    try {
        std::call_once(once, [] {
            throw std::runtime_error("expected");
        });
        CHECK(false);
    } catch (const std::runtime_error &) {
    }
    std::call_once(once, [] { shared = 1; });
}

static void second() {
    std::call_once(once, [] { CHECK(false); });
    shared = 2;
}
