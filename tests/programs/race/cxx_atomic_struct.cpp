// An atomic of a structure of three words is a lock inside; a plain access to a part of it is none.
// FLAGS: -latomic
// EXPECT: data race
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
    volatile long *part = (volatile long *)&value;
    while (!part[2]) std::this_thread::yield();
    int seen = data;
    other.join();
    return seen != 1;
}
