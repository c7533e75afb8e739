// A coroutine goes on in another thread while the first still uses what it has left in its frame.
// FLAGS: -std=c++20
// EXPECT: data race
#include <coroutine>
#include <thread>

#include "check.h"

struct Task {
    struct promise_type {
        int value = 0;
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int next) {
            value = next;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { __builtin_trap(); }
    };
    std::coroutine_handle<promise_type> handle;
};

static Task count() {
    for (int i = 1; i < 4; i++) co_yield i;
}

int main() {
    Task task = count();
    task.handle.resume();
    CHECK(task.handle.promise().value == 1);
    std::thread other([&] { task.handle.resume(); });
    int seen = task.handle.promise().value;
    other.join();
    CHECK(seen >= 1);
    task.handle.destroy();
    return 0;
}
