// Two threads change an exception that both hold.
// LEVELS: O1
// EXPECT: data race on `failure.numbers\[5\]|__n|\*`
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.h"

struct Failure : std::runtime_error {
    std::vector<int> numbers;
    explicit Failure(int number)
        : std::runtime_error("a text that is too long to be kept in place"), numbers(10, number) {}
    ~Failure() override {
        for (int &number : numbers) number = 0;
    }
};

static void rethrow(const std::exception_ptr &held, int number) {
    try {
        std::rethrow_exception(held);
    } catch (Failure &failure) {
        CHECK(failure.numbers[3] == number && failure.what()[0] == 'a');
        failure.numbers[5] = number;
    }
}

int main() {
    for (int i = 1; i <= 100; i++) {
        auto future = std::async(std::launch::async, [i]() -> int { throw Failure(i); });
        try {
            future.get();
            return 1;
        } catch (const Failure &failure) {
            CHECK(failure.numbers[3] == i);
        }
    }
    for (int i = 1; i <= 100; i++) {
        std::exception_ptr held;
        try {
            throw Failure(i);
        } catch (...) {
            held = std::current_exception();
        }
        std::thread one([held, i] { rethrow(held, i); }), other([held, i] { rethrow(held, i); });
        one.detach();
        held = nullptr;
        other.join();
    }
    return 0;
}
