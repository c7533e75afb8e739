// A spin lock of a flag.
#include <atomic>
#include <thread>

static std::atomic_flag flag;
int counter;

static void work() {
    for (int i = 0; i < 50; i++) {
        while (flag.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
        counter++;
        flag.clear(std::memory_order_release);
    }
}

int main() {
    std::thread other(work);
    work();
    other.join();
    return counter != 100;
}
