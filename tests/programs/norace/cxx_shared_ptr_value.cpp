// What is shared is written before, and read by all.
#include <memory>
#include <thread>
#include <vector>

int main() {
    auto value = std::make_shared<int>(1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([value, i] {
            if (*value != 1) __builtin_trap();
        });
    for (auto &thread : threads) thread.join();
    return 0;
}
