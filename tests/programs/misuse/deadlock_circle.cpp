// Five philosophers, one after the other, each with locks of their own kinds: std::mutex, and in blocks of the heap.
// EXPECT: ^WARNING: Goldilocks: lock-order inversion \(potential deadlock\)
// EXPECT: the locks form a cycle, .* -> .* -> .* -> .* -> .* -> .*:
// EXPECT: ^Goldilocks: 1 finding \(
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "invisible.h"

static int turn;

int main() {
    std::vector<std::unique_ptr<std::mutex>> forks;
    for (int i = 0; i < 5; i++) forks.push_back(std::make_unique<std::mutex>());
    std::vector<std::thread> philosophers;
    for (int i = 0; i < 5; i++)
        philosophers.emplace_back([&forks, i] {
            invisible_wait(&turn, i);
            {
                std::lock_guard<std::mutex> left(*forks[i]);
                std::lock_guard<std::mutex> right(*forks[(i + 1) % 5]);
            }
            invisible_signal(&turn);
        });
    for (auto &philosopher : philosophers) philosopher.join();
    return 0;
}
