// A thread changes an exception that it has stored for another.
// EXPECT: data race
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
            invisible_signal(&step);
            invisible_wait(&step, 2);
            failure.code = 4;
        }
    });
    invisible_wait(&step, 1);
    try {
        std::rethrow_exception(stored);
    } catch (Failure &failure) {
        CHECK(failure.code > 0);
    }
    invisible_signal(&step);
    other.join();
    return 0;
}
