// The flag that a condition stands for is set with the lock.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
bool ready;

int main() {
    std::thread other([] {
        std::unique_lock lock(mutex);
        condition.wait_for(lock, std::chrono::seconds(5), [] { return ready; });
    });
    {
        std::lock_guard lock(mutex);
        ready = true;
    }
    condition.notify_one();
    other.join();
    return 0;
}
