// A local static variable whose initialization throws is initialized again, after the failed attempt.
#include <stdexcept>

#include "check.h"
#include "unordered.h"

static volatile int shared, attempts;

struct Thrower {
    __attribute__((noinline)) Thrower() {
        attempts = attempts + 1;
        if (attempts == 1) throw std::runtime_error("expected");
    }
    ~Thrower() {}
};

static void use() {
    static Thrower thrower;
    (void)thrower;
}

static void first() {
    try {
        use();
        CHECK(false);
    } catch (const std::runtime_error &) {
    }
    shared = 1;
}

static void second() {
    use();
    CHECK(attempts == 2);
}
