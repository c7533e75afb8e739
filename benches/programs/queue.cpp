// A producer and a consumer with a bounded queue under a mutex and two condition variables; items are heap blocks.
// ARGS: 300000
// QUICK: 60000
// SMOKE: 100
// THREADS: 2
// LONG
#include "workload.h"
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using Item = std::unique_ptr<std::vector<int>>;

class Queue {
    std::mutex lock_;
    std::condition_variable not_empty_, not_full_;
    std::deque<Item> items_;
    int greetings_ = 0;

public:
    void push(Item item) {
        std::unique_lock guard(lock_);
        not_full_.wait(guard, [&] { return items_.size() < 64; });
        items_.push_back(std::move(item));
        not_empty_.notify_one();
    }
    Item pop() {
        std::unique_lock guard(lock_);
        not_empty_.wait(guard, [&] { return !items_.empty(); });
        Item item = std::move(items_.front());
        items_.pop_front();
        not_full_.notify_one();
        return item;
    }
    // Seeded: both sides say that they are there without taking the lock.
    void greet() { greetings_++; }
};

int main(int count, char **arguments) {
    const long rounds = size_argument(count, arguments);
    Queue queue;
    std::thread producer([&] {
        if (SEEDED) queue.greet();
        for (long i = 0; i < rounds; i++) queue.push(std::make_unique<std::vector<int>>(16, int(i)));
        queue.push(nullptr);
    });
    if (SEEDED) queue.greet();
    long sum = 0;
    while (Item item = queue.pop())
        for (int value : *item) sum += value;
    producer.join();
    std::printf("%ld\n", sum);
}
