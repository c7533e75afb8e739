// OPTIONS: halt_on_error=1
// EXPECT: ^WARNING: Goldilocks: double lock of a mutex on `lock`
// EXPECT: inner .*mutex_double_lock_std.cpp:10
#include <mutex>
#include <thread>

static std::mutex lock;

__attribute__((noinline)) static void inner() {
    std::lock_guard<std::mutex> guard(lock);
}

__attribute__((noinline)) static void outer() {
    std::lock_guard<std::mutex> guard(lock);
    inner();
}

int main() {
    std::thread(outer).join();
    return 0;
}
