// An initialization that throws has published nothing.
#include <mutex>
#include <stdexcept>

#include "check.h"
#include "unordered.h"

static std::once_flag once;
static volatile int shared;

static void first() {
    try {
        std::call_once(once, [] {
            shared = 1;
            throw std::runtime_error("expected");
        });
        CHECK(false);
    } catch (const std::runtime_error &) {
    }
}

static void second() {
    std::call_once(once, [] { shared = 2; });
}
