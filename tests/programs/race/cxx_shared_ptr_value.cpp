// That a count is atomic does not make what it counts so.
// EXPECT: data race on
#include <memory>
#include <thread>
#include <vector>

int main() {
    auto value = std::make_shared<int>(1);
    // None is dropped before the end: that would order the threads.
    std::vector<std::shared_ptr<int>> copies(3, value);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&copies, i] {
            *copies[i] += i;
        });
    for (auto &thread : threads) thread.join();
    return 0;
}
