// An atomic of a structure of three words.
// FLAGS: -latomic
#include <atomic>
#include <thread>

struct Three {
    long first, second, third;
};
static std::atomic<Three> value;
static int data;

int main() {
    std::thread other([] {
        data = 1;
        value.store({1, 2, 3}, std::memory_order_release);
    });
    while (!value.load(std::memory_order_acquire).third) std::this_thread::yield();
    int seen = data;
    other.join();
    return seen != 1;
}
