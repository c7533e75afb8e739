// A thread stores an exception for another.
#include <exception>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "invisible.h"

struct Failure {
    int code;
};
static std::exception_ptr stored;
static int step;

int main() {
    std::thread other([] {
        try {
            throw Failure{3};
        } catch (Failure &failure) {
            stored = std::current_exception();
            failure.code = 4;
        }
    });
    other.join();
    try {
        std::rethrow_exception(stored);
    } catch (Failure &failure) {
        CHECK(failure.code > 0);
    }
    return 0;
}
