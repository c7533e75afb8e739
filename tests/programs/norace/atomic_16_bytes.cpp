// A release store of 16 bytes is taken by an acquire load, without a library's help.
#include <atomic>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_acquire
#endif

struct alignas(16) Pair {
    long first, second;
};
static std::atomic<Pair> pair;
static volatile int data;

int main() {
    std::thread reader([] {
        while (pair.load(ORDER).first == 0) std::this_thread::yield();
        (void)data;
    });
    data = 5;
    pair.store(Pair{1, 2}, std::memory_order_release);
    reader.join();
    return 0;
}
