// A wait for a change of an atomic, whose notification is not what orders: the store is relaxed.
// FLAGS: -std=c++20
// EXPECT: data race on `message`
#include <atomic>
#include <thread>

#include "check.h"

static std::atomic<int> state;
int message;

int main() {
    std::thread other([] {
        message = 5;
        state.store(1, std::memory_order_relaxed);
        state.notify_all();
    });
    state.wait(0, std::memory_order_acquire);
    CHECK(message == 5);
    other.join();
    return 0;
}
