// A std::function is replaced while another thread calls it.
// EXPECT: data race
#include <functional>
#include <mutex>
#include <thread>

static std::function<int()> function = [] { return 1; };
static std::mutex mutex;

int main() {
    std::thread other([] {
        if (function() < 1) __builtin_trap();
    });
    {
        std::lock_guard lock(mutex);
        function = [] { return 2; };
    }
    other.join();
    return 0;
}
