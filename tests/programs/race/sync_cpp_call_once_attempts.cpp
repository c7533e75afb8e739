// Initializations of two flags are not ordered, whether they throw or not.
// LIBCXX: dynamic static
#include <mutex>
#include <stdexcept>

#include "check.h"
#include "unordered.h"

static std::once_flag one, other;
static volatile int shared;

static void first() {
    try {
        std::call_once(one, [] {
            shared = 1;
            throw std::runtime_error("expected");
        });
        CHECK(false);
    } catch (const std::runtime_error &) {
    }
    std::call_once(one, [] {});
}

static void second() {
    std::call_once(other, [] { shared = 2; });
}
