// A pool of threads that runs tasks: functions with captured state and futures of their results.
// ARGS: 60000
// QUICK: 10000
// SMOKE: 20
// THREADS: 3
#include "workload.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

class Pool {
    std::mutex lock_;
    std::condition_variable work_;
    std::deque<std::packaged_task<long()>> tasks_;
    std::vector<std::thread> threads_;
    bool done_ = false;

    void run() {
        for (;;) {
            std::unique_lock guard(lock_);
            work_.wait(guard, [&] { return done_ || !tasks_.empty(); });
            if (tasks_.empty()) return;
            auto task = std::move(tasks_.front());
            tasks_.pop_front();
            guard.unlock();
            task();
        }
    }

public:
    explicit Pool(int threads) {
        for (int i = 0; i < threads; i++) threads_.emplace_back([this] { run(); });
    }
    std::future<long> submit(std::function<long()> function) {
        std::packaged_task<long()> task(std::move(function));
        auto result = task.get_future();
        std::lock_guard guard(lock_);
        tasks_.push_back(std::move(task));
        work_.notify_one();
        return result;
    }
    ~Pool() {
        {
            std::lock_guard guard(lock_);
            done_ = true;
        }
        work_.notify_all();
        for (auto &thread : threads_) thread.join();
    }
};

int main(int count, char **arguments) {
    const long rounds = size_argument(count, arguments);
    Pool pool(threads_argument(count, arguments));
    long sum = 0;
    for (long round = 0; round < rounds; round += 20) {
        std::vector<std::future<long>> results;
        auto numbers = std::make_shared<std::vector<long>>(500);
        std::iota(numbers->begin(), numbers->end(), round);
        for (long i = 0; i < 20; i++)
            results.push_back(pool.submit([numbers, i] { return std::accumulate(numbers->begin(), numbers->end(), i); }));
        // Seeded: changes what the tasks may still be reading.
        if (SEEDED) (*numbers)[7] = round;
        for (auto &result : results) sum += result.get();
    }
    std::printf("%ld\n", sum);
}
